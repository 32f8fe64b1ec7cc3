"""The cache of what servers answered in earlier runs: an SQLite file.

`ages` decides how long an answer is valid, by its status. `cached_rows` turns an answer into a row and back, for runs
that ask in the same way, `file` opens the file, and `kept_answers` looks answers up and keeps new ones.
"""
