"""What the tests of this folder share: its modules, which pytest's way of importing tests does not find."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent))
