"""What browsers make of a page beyond its references and ids, as far as its shape tells.

What fragments name, what scripts make of them and where pages send browsers on; what nobody sees, and where nobody
goes. Nothing is read here: that is for `pages/`.
"""
