"""Training memory: whether a model, a layout and a batch fit in GPU memory, and the largest term."""

from calculators import facts
from calculators.declare import AnyFormula, Calculator, Preset
from calculators.declare.pictures import Bars, bar
from calculators.llm import dimensions
from calculators.llm.adapters import TRAINED
from calculators.llm.size import MODEL_SIZE
from calculators.llm.step.adapters import ADAPTER_WORK
from calculators.subjects.training.sequence import SEQUENCE
from calculators.subjects.training.training_memory import memory
from calculators.subjects.training.training_memory.activations import ACTIVATIONS
from calculators.subjects.training.training_memory.buffers import BUFFERS
from calculators.subjects.training.training_memory.constraints import CONSTRAINTS
from calculators.subjects.training.training_memory.estimated_shape import LIKELY
from calculators.subjects.training.training_memory.inputs import LOSS, Inputs
from calculators.subjects.training.training_memory.offload import OFFLOAD, OFFLOADING
from calculators.subjects.training.training_memory.preference import PREFERENCE, PREFERENCES
from calculators.subjects.training.training_memory.recommendations import recommendations
from calculators.subjects.training.training_memory.recomputation import RECOMPUTATION
from calculators.subjects.training.training_memory.states import MODEL_STATES
from calculators.subjects.training.training_memory.tables import CONVENTIONS
from calculators.subjects.training.training_memory.verdicts import VERDICTS
from calculators.subjects.training.training_memory.warnings import WARNINGS
from calculators.vocabulary import layout
from calculators.vocabulary.accelerators import accelerator_preset
from calculators.vocabulary.groups import BATCH, MACHINE, MODEL, PRECISION, SHARD
from calculators.vocabulary.models import model_preset
from calculators.vocabulary.precision import SPEEDUPS, precision_has_units
from calculators.vocabulary.recipes import RECIPE, recipe_preset

FORMULAS: tuple[AnyFormula, ...] = (
    *layout.FORMULAS,
    *TRAINED,
    *MODEL_STATES,
    *ACTIVATIONS,
    *ADAPTER_WORK,
    *RECOMPUTATION,
    *BUFFERS,
    *OFFLOADING,
    *PREFERENCES,
    precision_has_units,
    *MODEL_SIZE,
    *SEQUENCE,
    *LIKELY,
    *CONSTRAINTS,
    *WARNINGS,
    *memory.FORMULAS,
    *VERDICTS,
)

CALCULATOR = Calculator(
    name="training_memory",
    title="Training memory",
    question="Does training this model fit in the memory of these GPUs?",
    answer=(
        "Training {parameters} on {layout_gpus} needs **{training_memory}** ({training_memory_low} to "
        "{training_memory_high}) of {gpu_memory} on the fullest GPU: **{fits}**. "
        "Weights, gradients and optimizer state take {model_state_memory}, activations {activation_memory}."
    ),
    inputs_type=Inputs,
    formulas=FORMULAS,
    headline=(
        "training_memory",
        "training_memory_low",
        "training_memory_high",
        "headroom",
        "weight_memory",
        "gradient_memory",
        "optimizer_memory",
        "activation_memory",
        "logit_memory",
        "reserved_memory",
        "companion_memory",
        "host_memory_needed",
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
        accelerator_preset("gpu_memory", optional=SPEEDUPS),
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
        Preset(
            name="loss",
            label="Cross-entropy loss",
            records=tuple(facts.records("training-memory", "loss-").values()),
            fills={"logit_bytes": "logit_bytes"},
            default=LOSS,
            group=PRECISION,
        ),
    ),
    groups={
        MODEL: "The model",
        BATCH: "The batch",
        SHARD: "The layout",
        OFFLOAD: "Offload to host memory",
        PREFERENCE: "Preference training",
        MACHINE: "Accelerator",
        PRECISION: "Precision",
        dimensions.SHAPE: "Model dimensions",
    },
    assumptions=(
        "Layers are spread evenly over the pipeline; the fullest stage rounds its share up and has an embedding table.",
        "Pipelines run one forward, one backward (1F1B), interleaved where the layout says so.",
        "Gated layers run without dropout and biases, plain ones with both, unless set otherwise.",
        "The range is that of nine in ten published runs in either direction, of every framework together.",
        "Tokens spread evenly over experts, up to the capacity factor.",
        "Layers that predict further tokens are on the last stage, in addition to its share of the layers.",
    ),
    omits=(
        "Optimizers that need temporary copies while they step, and offload to drives.",
        "Activation quantization.",
        "Uneven pipelines, encoder-decoders, and encoders for images or sound.",
        "The phase of reinforcement learning that generates: its engine is counted where it stays awake.",
        "Layers larger than the average: ZeRO stage 3 is taken to gather an average layer, or the embedding table.",
        "Norms, routers and down-projections to latents, which every tensor rank holds whole.",
        "The embedding's dropout mask, and flash attention's statistics.",
        "Adapters that frameworks share: Megatron Bridge has one for `linear_qkv`, and one for all experts of a rank.",
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
            bar(
                "One GPU",
                weight_memory="weights",
                gradient_memory="gradients",
                optimizer_memory="optimizer",
                activation_memory="activations",
                logit_memory="logits",
                reserved_memory="other",
                companion_memory="work",
                engine_memory="stall",
                headroom="free",
            ),
        ),
        limit="gpu_memory",
        limit_label="GPU memory",
    ),
)
