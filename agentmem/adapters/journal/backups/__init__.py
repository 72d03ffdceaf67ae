"""Copies of the whole store: `container` is the file, `snapshot` what goes in, `restoring` what comes out."""
