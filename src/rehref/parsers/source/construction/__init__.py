"""Tree construction as the HTML Standard has it, on the names of elements alone (§13.2.6).

What comes in is a source that the scan refused; what goes out are the same places. Functions bear the names of the
Standard's insertion modes and steps.
"""
