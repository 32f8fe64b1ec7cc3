"""HTTP messages: their heads by byte spans, and their bodies with and without what they were encoded with."""
