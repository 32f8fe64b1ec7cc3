"""How what `rehref check` found is shown: one module for each format, and a row in `formats.py`.

What comes in is a `CheckResult`; what goes out is text. `places.py` and `words.py` have what the formats share.
"""
