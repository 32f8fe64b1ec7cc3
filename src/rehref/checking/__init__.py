"""What is wrong with the links of a static site: which file each leads to, whether it is there, and what to write."""
