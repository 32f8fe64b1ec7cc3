"""How long tests wait for another process: long enough for the slowest machine, so that only what hangs is ended.

No test is about how long something takes on a clock; how it grows with its input is what `growth` compares.
"""

from __future__ import annotations

PATIENCE = 1800.0
"""Seconds."""
