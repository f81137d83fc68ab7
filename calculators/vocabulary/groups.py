"""Groups of inputs that several calculators have: their keys, which each calculator titles for itself."""

MODEL, MACHINE, SAVE, STORE, KEEP, RUN, SHARD = "model", "machine", "save", "store", "keep", "run", "shard"
BATCH, PRECISION = "batch", "precision"
