"""Parser cores: markup only. The contract is in `contract`, the registry in `registry`."""
