"""Groups of inputs shared by calculators: keys, to which each calculator gives a title."""

MODEL, MACHINE, CHECKPOINT, STORAGE, RETENTION, RUN, SHARD = "model", "machine", "save", "store", "keep", "run", "shard"
BATCH, PRECISION = "batch", "precision"
