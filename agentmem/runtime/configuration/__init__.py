"""What people write: the configuration, personas and scenarios, as checked values; a mistake is one clear line."""
