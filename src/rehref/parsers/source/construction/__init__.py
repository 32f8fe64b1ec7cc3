"""Tree construction on names alone: exact where what a tag makes depends on what stands around it."""
