"""Cost: own or rent over years, by the hour used and useful, by the run and by the million tokens."""

from calculators.declare import Calculator
from calculators.declare.pictures import Bars, bar
from calculators.subjects.money.cost import comparison, owning, rent_swing, renting, spending, verdicts, warnings
from calculators.subjects.money.cost.cost_lines import COST_LINES
from calculators.subjects.money.cost.inputs import GROUPS, Inputs
from calculators.subjects.money.cost.quotations import PRICES, rent_preset
from calculators.subjects.money.cost.recommendations import recommendations
from calculators.subjects.money.cost.tables import BILL, MEANINGS
from calculators.vocabulary.accelerators import accelerator_preset
from calculators.vocabulary.electricity import watts_per_gpu
from calculators.vocabulary.money import cost_per_million, training_cost

CALCULATOR = Calculator(
    name="cost",
    title="Cost: own or rent",
    question="Is it cheaper to own or rent this cluster, and what do a run, a useful hour and a million tokens cost?",
    answer=(
        "Owned, these GPUs cost **{own_shown}** {money_per}, rented **{rent_shown}** at {price_per_gpu_hour}, with "
        "{utilization} of all hours in use: **{own_or_rent}**; a useful GPU-hour costs {own_per_useful_hour} owned and "
        "{rent_per_useful_hour} rented."
    ),
    inputs_type=Inputs,
    formulas=(
        watts_per_gpu,
        training_cost,
        cost_per_million,
        *owning.FORMULAS,
        *renting.FORMULAS,
        *comparison.FORMULAS,
        *rent_swing.FORMULAS,
        *verdicts.FORMULAS,
        *spending.FORMULAS,
        *warnings.FORMULAS,
    ),
    headline=(
        "own_per_gpu_hour",
        "own_per_useful_hour",
        "rent_per_useful_hour",
        "break_even_utilization",
        "break_even_if_rents_fall",
        "break_even_if_rents_rise",
        "break_even_rent",
        "payback",
        "training_cost",
        "cost_per_million",
    ),
    first_sliders=("utilization", "price_per_gpu_hour", "book_years"),
    presets=(
        accelerator_preset("gpu_power", optional=("price_per_gpu_hour", "server_price_per_gpu", "host_power_per_gpu")),
        rent_preset(),
    ),
    groups=GROUPS,
    assumptions=(
        "Owner and renter have the same GPUs, use them for the same share of the hours and lose as much of it.",
        "An owner pays for every hour of the calendar, a renter for those in use or committed to.",
        "Electricity is paid for all hours, at the average draw while training.",
        "The purchase is paid back with interest in equal years, and sold at the end for its residual.",
        "Operations are a share of the purchase each year: support, spare parts and staff.",
        "Space is rented by the rating, electricity paid by the average.",
        "A run's GPU-hours are those billed; what goodput loses is in them already.",
        "A year has 8,766 hours, a month 730.5.",
    ),
    omits=(
        "Tax, subsidy, insurance and exchange rates.",
        "Time: rented GPUs arrive in days, an own site's power in years.",
        "Runs that failed or were thrown away, and the people who do research.",
        "Prices that move while one writes off: only rents may move, by the same share each year.",
        "Part of a server, and more than one generation of them.",
    ),
    tables=(BILL, MEANINGS, PRICES),
    cost_lines=COST_LINES,
    recommendations=recommendations,
    recommendations_heading="Recommendations: make owning pay off",
    picture=Bars(
        title="One GPU, per hour of the calendar",
        rows=(
            bar(
                "Owned",
                hardware_per_gpu_hour="work",
                interest_per_gpu_hour="gradients",
                colocation_per_gpu_hour="weights",
                electricity_per_gpu_hour="stall",
                operations_per_gpu_hour="optimizer",
            ),
            bar("Rented", used_rent_per_hour="activations", unused_rent_per_hour="free", beside_the_rent="logits"),
            bar("Rented, rents fall", rented_hour_if_rents_fall="other"),
            bar("Rented, rents rise", rented_hour_if_rents_rise="other"),
        ),
        listed=(
            *("hardware_per_gpu_hour", "interest_per_gpu_hour", "colocation_per_gpu_hour", "electricity_per_gpu_hour"),
            *("operations_per_gpu_hour", "used_rent_per_hour", "unused_rent_per_hour", "beside_the_rent"),
        ),
        limit="own_per_gpu_hour",
        limit_label="owning",
        reached=True,
    ),
)
