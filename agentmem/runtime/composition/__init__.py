"""How the system is put together: which adapter stands behind which port, and in which order all is opened."""
