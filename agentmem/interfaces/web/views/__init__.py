"""One module a page: what it shows is gathered here, and laid out by the template of the same name."""
