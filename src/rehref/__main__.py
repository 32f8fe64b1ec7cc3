"""`python -m rehref` is `rehref`."""

from rehref.cli import main

if __name__ == "__main__":
    main()
