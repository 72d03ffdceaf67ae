"""The command line: `commands` say what may be asked, `actions` do it and are loaded only then."""
