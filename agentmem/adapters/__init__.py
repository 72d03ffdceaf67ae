"""Adapters: everything that touches a vendor, one folder per port."""
