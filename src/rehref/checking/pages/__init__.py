"""The documents of a site as the checker reads them: names, references, where these lead, and the verdict on that.

What one document gives is put into small tables, which travel between processes and are merged.
In come documents, as `documents/` reads them, and `site/`, which is asked where a target leads.
"""
