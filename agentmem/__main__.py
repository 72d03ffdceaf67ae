"""`python -m agentmem` is the command `agentmem`."""

import sys

from agentmem.interfaces.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
