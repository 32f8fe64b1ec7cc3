"""What happens to findings once they exist: filters, duplicates, common causes, sums.

The modules take the findings of all checks and return those that a report shows. A baseline holds the findings of an
earlier run.
"""
