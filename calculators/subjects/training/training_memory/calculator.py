"""Training memory: whether a model, a layout and a batch fit in GPU memory, and the largest term."""

from calculators.declare import AnyFormula, Calculator, Verdict, formulas_of, step, verdict
from calculators.declare.pictures import Bars, Row, Segment
from calculators.llm import dimensions
from calculators.llm.adapters import TRAINED
from calculators.llm.size import MODEL_SIZE
from calculators.subjects.training.training_memory.activations import ACTIVATIONS
from calculators.subjects.training.training_memory.conventions import CONVENTIONS
from calculators.subjects.training.training_memory.inputs import Inputs
from calculators.subjects.training.training_memory.layout import LAYOUT_CHECKS
from calculators.subjects.training.training_memory.plausibility import LIKELY
from calculators.subjects.training.training_memory.recommendations import recommendations
from calculators.subjects.training.training_memory.sequence import SEQUENCE
from calculators.subjects.training.training_memory.states import MODEL_STATES
from calculators.vocabulary import layout
from calculators.vocabulary.accelerators import accelerator_preset
from calculators.vocabulary.groups import BATCH, MACHINE, MODEL, PRECISION, SHARD
from calculators.vocabulary.models import model_preset
from calculators.vocabulary.recipes import RECIPE, recipe_preset

TIGHT_FROM = 0.9
LACKS = "The fullest GPU needs {training_memory}, {shortfall} more than its {gpu_memory}."
LEAVES = "The fullest GPU needs {training_memory} of its {gpu_memory}; {headroom} free."
PARTS = (
    ("weights", "weight_memory"),
    ("gradients", "gradient_memory"),
    ("optimizer state", "optimizer_memory"),
    ("activations", "activation_memory"),
    ("logits", "logit_memory"),
    ("fragmentation and overhead", "reserved_memory"),
)


@step("B", "Tensor memory", binary=True)
def tensor_memory(
    model_state_memory: float,
    activation_memory: float,
    logit_memory: float,
    gathered_memory: float,
    recomputed_memory: float,
) -> float:
    """Peak allocated tensor memory on one GPU [B], without allocator and system overhead."""
    return model_state_memory + activation_memory + logit_memory + gathered_memory + recomputed_memory


@step("B", "Fragmentation and overhead", binary=True, source="gmlake")
def reserved_memory(
    tensor_memory: float,
    fragmentation: float,
    training_overhead: float,
    gathered_memory: float,
    recomputed_memory: float,
) -> float:
    """Memory besides the model and its batch [B]: fragmentation, overhead and temporary buffers."""
    return training_overhead + fragmentation * tensor_memory + gathered_memory + recomputed_memory


@step(
    "B",
    "Memory per GPU",
    binary=True,
    rises_with=("micro_batch", "sequence_length", "training_overhead", "fragmentation"),
)
def training_memory(
    weight_memory: float,
    gradient_memory: float,
    optimizer_memory: float,
    activation_memory: float,
    logit_memory: float,
    reserved_memory: float,
) -> float:
    """Memory that training needs on one GPU of the fullest pipeline stage [B]."""
    return weight_memory + gradient_memory + optimizer_memory + activation_memory + logit_memory + reserved_memory


@step("B", "Memory headroom", binary=True, rises_with=("gpu_memory",))
def headroom(gpu_memory: float, training_memory: float) -> float:
    """Free memory on the fullest GPU [B]; negative if it does not fit."""
    return gpu_memory - training_memory


@step("B", "Memory missing", binary=True)
def shortfall(training_memory: float, gpu_memory: float) -> float:
    """Memory missing on the fullest GPU [B]; 0 if it fits."""
    return max(0, training_memory - gpu_memory)


@verdict("Fits in GPU memory")
def fits(
    training_memory: float,
    gpu_memory: float,
    weight_memory: float,
    gradient_memory: float,
    optimizer_memory: float,
    activation_memory: float,
    logit_memory: float,
    reserved_memory: float,
) -> Verdict:
    """Whether the fullest GPU's memory suffices, tight below 10 % headroom, and its largest term."""
    largest = _largest_part(
        weight_memory, gradient_memory, optimizer_memory, activation_memory, logit_memory, reserved_memory
    )
    if training_memory > gpu_memory:
        return Verdict(level="bad", word="does not fit", reason=f"{LACKS} {largest}")
    if training_memory > TIGHT_FROM * gpu_memory:
        return Verdict(level="tight", word="tight", reason=f"{LEAVES} {largest}")
    return Verdict(level="good", word="OK", reason=f"{LEAVES} {largest}")


def _largest_part(*amounts: float) -> str:
    label, name = PARTS[max(range(len(PARTS)), key=amounts.__getitem__)]
    return f"The largest part is {label}: {{{name}}}."


FORMULAS: tuple[AnyFormula, ...] = (
    *layout.FORMULAS,
    *TRAINED,
    *MODEL_STATES,
    *ACTIVATIONS,
    *MODEL_SIZE,
    *SEQUENCE,
    *LIKELY,
    *LAYOUT_CHECKS,
    *formulas_of(globals()),
)

CALCULATOR = Calculator(
    name="training_memory",
    title="Training memory",
    question="Does training this model fit in the memory of these GPUs?",
    answer=(
        "Training {parameters} on {layout_gpus} needs **{training_memory}** of {gpu_memory} on the fullest GPU: "
        "**{fits}**. Weights, gradients and optimizer state take {model_state_memory}, activations {activation_memory}."
    ),
    inputs_type=Inputs,
    formulas=FORMULAS,
    headline=(
        "training_memory",
        "headroom",
        "weight_memory",
        "gradient_memory",
        "optimizer_memory",
        "activation_memory",
        "logit_memory",
        "reserved_memory",
        "trainable_parameters",
        "counted_parameters",
        "counted_active_parameters",
        "training_bytes_per_parameter",
        "layout_gpus",
    ),
    first_sliders=("sequence_length", "micro_batch", "tensor_parallel"),
    presets=(
        # No record fills `parameters`: every one is counted.
        model_preset(*dimensions.COUNTED_FROM, "positions", yields_to=("parameters",), incidental=("sequence_length",)),
        accelerator_preset("gpu_memory"),
        recipe_preset(
            "recipe",
            "Precision recipe",
            prefix="recipe-",
            default=RECIPE,
            fills={
                part: part for part in ("weight_bytes_trained", "gradient_bytes", "master_bytes", "optimizer_bytes")
            },
            group=PRECISION,
        ),
    ),
    groups={
        MODEL: "The model",
        BATCH: "The batch",
        SHARD: "The layout",
        MACHINE: "Accelerator",
        PRECISION: "Precision",
        dimensions.SHAPE: "Model dimensions",
    },
    assumptions=(
        "Layers are spread evenly over the pipeline; the fullest stage rounds its share up and has an embedding table.",
        "Pipelines run one forward, one backward (1F1B), interleaved where the layout says so.",
        "Gated layers run without dropout and biases, plain ones with both, unless set otherwise.",
        "A fused kernel keeps the gate, the up-projection and their product; an unfused one keeps a fourth tensor.",
        "Tokens spread evenly over experts, up to the capacity factor.",
        "Layers that predict further tokens stand on the last stage, beside its share of the layers.",
    ),
    omits=(
        "Offloading to host memory, and optimizers that need temporary copies while they step.",
        "The loss in chunks, activation quantization, and recomputation of single operations (FSDP's selective kinds).",
        "Uneven pipelines, encoder-decoders, and encoders for images or sound.",
        "What reinforcement learning keeps beside: a frozen reference, a critic, a reward model, copies that generate.",
        "What quantized weights need while a layer runs: QLoRA makes each matrix 16 bits wide for its products.",
        "Layers larger than the average: ZeRO stage 3 is taken to gather an average layer, or the embedding table.",
        "Norms, routers and down-projections to latents, which every tensor rank holds whole.",
        "The embedding's dropout mask, and flash attention's statistics.",
    ),
    tables=(CONVENTIONS,),
    recommendations=recommendations,
    recommendations_heading="What would make it fit",
    result_aliases={
        "total_parameters": "parameters",
        "active_parameters": "active_parameters",
        "gpus": "gpus",
        "head_width": "head_dim",
        "value_width": "v_head_dim",
        "ffn_width": "ffn_hidden",
        "dense_ffn_width": "dense_ffn_hidden",
    },
    picture=Bars(
        title="Memory of the fullest GPU",
        rows=(
            Row(
                label="One GPU",
                segments=(
                    Segment(value="weight_memory", tone="weights"),
                    Segment(value="gradient_memory", tone="gradients"),
                    Segment(value="optimizer_memory", tone="optimizer"),
                    Segment(value="activation_memory", tone="activations"),
                    Segment(value="logit_memory", tone="logits"),
                    Segment(value="reserved_memory", tone="other"),
                    Segment(value="headroom", tone="free"),
                ),
            ),
        ),
        limit="gpu_memory",
        limit_label="GPU memory",
    ),
)
