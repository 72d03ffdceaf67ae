"""The worker host: what claims work, keeps it alive, tries again, and says when reflection is due."""
