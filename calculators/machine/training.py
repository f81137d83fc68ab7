"""A machine that trains: its rates, its capacities, and what changes of it are measured by."""

from calculators.machine.form import FORM
from calculators.machine.hall_and_storage import OF_HALL, OF_STORE
from calculators.machine.kinds import Capacity, Kind, Measure, Rate

RATES = (
    Rate(
        key="compute",
        title="Compute",
        inputs=("peak_flops",),
        asked="{training_flops} in the run",
        there="{peak_flops} per GPU",
        calculator="training_time",
    ),
    Rate(
        key="network",
        title="Network",
        inputs=("nic_bandwidth",),
        asked="{network_bytes} per GPU and step",
        there="{nic_bandwidth} per GPU",
        calculator="collectives",
    ),
    Rate(
        key="links",
        title="Scale-up links",
        inputs=("link_bandwidth",),
        asked="{link_bytes} per GPU and step",
        there="{link_bandwidth} per GPU",
        calculator="collectives",
    ),
    Rate(
        key="storage_write",
        title="Storage write bandwidth",
        inputs=("write_bandwidth",),
        asked="{required_write_bandwidth} to checkpoint within {write_window}",
        there="{write_bandwidth}, of {write_supply} that {storage_nodes} can write",
        calculator="checkpoint",
        required="required_write_bandwidth",
    ),
    Rate(
        key="storage_read",
        title="Storage read bandwidth",
        inputs=("read_bandwidth",),
        asked="{read_demand} to restore within {restore_window} and read training data",
        there="{read_bandwidth}, of {read_supply} that {storage_nodes} can read",
        calculator="storage_demand",
        required="read_demand",
        exceeded="Storage reads too slow",
    ),
    Rate(
        key="failures",
        title="MTBF",
        inputs=("gpu_mtbf",),
        asked="{failures_per_day} per day",
        there="one every {mtbf}",
        calculator="goodput",
    ),
    Rate(
        key="recovery",
        title="Detection and restart",
        inputs=("detection_time", "restart_time"),
        asked="after {failures_per_day} per day",
        there="{detection_time} and {restart_time}",
        calculator="goodput",
        falls=True,
    ),
)


CAPACITIES = (
    Capacity(
        key="memory",
        title="GPU memory (fullest GPU)",
        asked="training_memory",
        there="gpu_memory",
        calculator="training_memory",
    ),
    *OF_STORE,
    Capacity(
        key="storage_wear",
        title="Drive endurance",
        asked="writes_per_drive_and_day",
        there="drive_writes_per_day",
        calculator="storage_demand",
    ),
    *OF_HALL,
    Capacity(
        key="money",
        title="Money",
        asked="run_price",
        there="budget",
        calculator="cost",
        exceeded="Over budget",
    ),
    Capacity(
        key="deadline",
        title="Deadline",
        asked="training_duration",
        there="deadline",
        calculator="training_time",
        exceeded="Deadline missed",
    ),
)


TRAINING = Kind(
    name="train",
    form=FORM,
    job=frozenset(("model", "shape", "count", "batch", "shard", "precision")),
    rates=RATES,
    capacities=CAPACITIES,
    measures=(
        Measure(result="training_duration", title="Time", better="earlier", worse="later"),
        Measure(result="run_price", title="Cost", better="less", worse="more"),
        Measure(result="facility_power", title="Power", better="less", worse="more"),
    ),
    states={
        "fits": {"good": "Fits", "tight": "Memory tight", "bad": "Does not fit"},
        "write_in_time": {
            "good": "Checkpoints finish",
            "tight": "Checkpoints barely finish",
            "bad": "Checkpoint write too slow",
        },
        "time_kept": {"good": "Goodput OK", "tight": "Goodput below target", "bad": "Goodput too low"},
    },
    gained="makes the run {share} faster",
    grown="the run takes {share} longer",
    best="ends the run earliest, with checkpoint interval and layout solved again",
    excluded="pipeline schedules that overlap both directions, and gathers in fewer bits",
)
