"""From the built page to the source: where in the sources of a site a finding is to be corrected.

`traced.py` puts findings at places in sources (`source_place.py`), which `tracing.py` finds: of which sources a page
may be made (`page_sources.py`), and what is written in them (`source_texts.py`).
"""
