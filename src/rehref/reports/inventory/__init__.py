"""The inventory of documents as a page: what is in them, what of them is added up, and the picture of who links where.

From the bottom up: `tally` and `facts` (of one document), `structure` and `totals` (of all), `grouping` and `picture`
(what is drawn), `marked_source` (a document's source). `rehref.reports.links.html` is the format.
"""
