"""From the built page to the source: where in the sources of a site a finding is to be corrected.

`source_place.py` says what a place in a source is, `page_sources.py` of which source a page is built, `source_texts.py`
reads the sources, and `tracing.py` joins them.
"""
