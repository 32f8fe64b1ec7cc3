"""Lets the tests of this folder import what they share, and what drives Chromium."""

import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent
sys.path += [str(_HERE), str(_HERE.parent / "browser")]
