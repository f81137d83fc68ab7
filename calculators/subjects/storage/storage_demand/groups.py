"""Groups of the inputs of storage demand, in the order of the page."""

from calculators.vocabulary.groups import CHECKPOINT, MACHINE, RETENTION
from calculators.vocabulary.storage import DATA, DRIVE, NEAR

LOAD, PROTECT, NODE, CACHES, INDEX = "load", "protect", "node", "caches", "shared_index"
GROUPS = {
    DATA: "Training data",
    CHECKPOINT: "Checkpoints",
    LOAD: "Restore and weight loading",
    CACHES: "KV-cache offload of a serving fleet",
    INDEX: "Vector index on this storage",
    RETENTION: "Retention and capacity",
    PROTECT: "Data protection",
    NODE: "Storage node",
    DRIVE: "Drives",
    NEAR: "Local checkpoints on the GPU nodes",
    MACHINE: "Job",
}
