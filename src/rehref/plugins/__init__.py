"""What can be taken away: commands and plugins that nothing else needs, a folder for each.

A folder has its command (`command.py`), which `rehref.cli.program` finds by its place. Its modules import what the
other rooms offer, and nothing imports them but `rehref.compare` and `rehref.move`, when they are asked for.
"""
