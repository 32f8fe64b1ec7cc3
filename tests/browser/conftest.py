"""Lets the tests of this folder import what they share, which pytest's way of importing tests does not."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent))
