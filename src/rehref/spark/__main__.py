"""`python -m rehref.spark`, also for `spark-submit`."""

import sys

from rehref.plugins.spark.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
