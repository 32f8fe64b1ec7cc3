"""Parser cores: they find places in markup, and write changed values back into it.

A core takes a `Source` and the names of the wanted elements and attributes. It yields places, and knows neither bases
nor references. `parsed.py` defines a core, `cores.py` lists the cores; another package can add one. `page_content.py`
answers what else is asked of a page.
"""
