"""Fixtures for tests of links to other sites."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from servers import servers  # noqa: F401
