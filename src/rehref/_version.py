"""The version, alone in a module so that `rehref --version` need import nothing else."""

__version__ = "0.1.0"
