"""One module for each command: what it takes, what it does and how that is shown. Help must come at once, so what is
heavy is imported inside the function that needs it."""
