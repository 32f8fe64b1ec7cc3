"""What is known from runs before: a file (SQLite) with what servers answered, and for how long that counts.

`ages`: for how long an answer counts, by its status. `rows`: an answer as a row, and back. `file`: opening the file,
and which one it is by default. `cache`: finding and keeping, for whoever asks servers.
"""
