"""Copies of the whole store: `snapshot` makes one and packs it into a file, `restore` puts it in the place of what is
there, without what `erased_since` leaves out."""
