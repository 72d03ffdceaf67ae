"""Documents: how they are cut into pieces worth remembering."""
