"""Working, drawn for formulas made up here: what each form of Python becomes."""

from __future__ import annotations

import re
from math import expm1, log1p
from typing import Any

from builder.pages.formulas.mathml import shortened
from builder.pages.formulas.working import working
from calculators import units
from calculators.answers import explain
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import Choice, step
from tests.builder.pages.test_working import slots, values_of, words
from tests.declare.test_declare import inputs_of, sized, toy


def drawn(function: Any, **labels: str) -> tuple[str, str]:
    """The words of a formula over the inputs a, b and mode."""
    inputs = inputs_of(
        a=sized(label=labels.get("a", "First"), default=4.0),
        b=sized(label=labels.get("b", "Second"), default=8.0),
    )
    formula = step("B", "Result")(function)
    calculator = toy(inputs, formula, headline=["result"])
    shown = working(calculator, formula)
    return " ".join(words(shown.symbols)), " ".join(words(shown.numbers))


def test_a_product_and_a_fraction_read_as_they_are_computed() -> None:
    def result(a: float, b: float) -> float:
        return 2 * a / b

    assert drawn(result) == ("Result = 2 × First Second", "2 × 4 B 8 B = 1 B")


def test_what_binds_less_strongly_is_in_parentheses() -> None:
    def result(a: float, b: float) -> float:
        return a * (b - (a - 1))

    assert drawn(result)[0] == "Result = First × ( Second - ( First - 1 ) )".replace(" - ", " − ")


def test_a_condition_inside_a_product_is_in_parentheses() -> None:
    def result(a: float, b: float) -> float:
        return (a if b > 1 else b) * 2

    first = drawn(result)[0]
    assert first.startswith("Result = ( { First if")
    assert first.endswith("otherwise ) × 2")


def test_rows_keep_the_parentheses_of_what_is_taken_away() -> None:
    def result(a: float, b: float) -> float:
        return a - (b - a)

    long = {"a": "A rather long label for one input", "b": "Another label as long as that"}
    assert drawn(result, **long)[0] == "Result = {a} − ( {b} − {a} )".format(**long)


def test_conditions_limits_and_rounding_are_readable() -> None:
    def result(a: float, b: float) -> float:
        return max(0, a // b) if a > 1 and not b > 2 else round(a)

    first = drawn(result)[0]
    for part in ("max ( 0", "⌊ First Second ⌋", "if\xa0 First > 1", "and", "not\xa0", "round ( First )", "otherwise"):
        assert part in first


def test_a_choice_is_compared_with_its_key_and_shown_by_it() -> None:
    calculator = CALCULATORS["checkpoint"]
    shown = working(calculator, calculator.steps["checkpoint_stall"])
    assert "Checkpoint mode = asynchronous" in " ".join(words(shown.symbols))
    assert slots(shown.numbers)["checkpoint_mode"] == calculator.inputs["checkpoint_mode"].default


def test_a_choice_looked_up_in_a_list_of_options_is_compared_with_each() -> None:
    calculator = CALCULATORS["training_memory"]
    formula = calculator.steps["trainable_parameters"]
    shown = " ".join(words(working(calculator, formula).symbols)).replace("\xa0", " ")
    assert "Training job = lora  or  qlora" in shown
    texts = {**values_of(calculator), "job": "lora"}
    assert " if 'lora' in ('lora', 'qlora') else " in explain.substituted(calculator, formula, texts)


def test_no_working_takes_a_number_from_a_table_that_it_does_not_show() -> None:
    for calculator in CALCULATORS.values():
        texts = values_of(calculator)
        for formula in calculator.steps.values():
            if formula.role == "step":
                shown = explain.substituted(calculator, formula, texts)
                assert not re.search(r"\b_?[A-Z][A-Z0-9_]*(\['|\.get\()", shown), (calculator.name, formula.name, shown)


def test_the_constants_of_a_module_are_shown_by_their_values() -> None:
    calculator = CALCULATORS["checkpoint"]
    assert "1 day" in words(working(calculator, calculator.steps["written_per_day"]).symbols)


def test_a_label_is_escaped() -> None:
    def result(a: float, b: float) -> float:
        return a + b

    labels = {"a": "A < B & <script>", "b": "\\frac{x}{y}_$%"}
    first = drawn(result, **labels)[0]
    assert "A < B & <script>" in first
    assert "\\frac{x}{y}_$%" in first
    inputs = inputs_of(a=sized(label=labels["a"]), b=sized(label=labels["b"]))
    formula = step("B", "Result")(result)
    assert "<script>" not in working(toy(inputs, formula, headline=["result"]), formula).symbols


def test_parts_with_names_of_their_own_come_before_the_result() -> None:
    def result(a: float, b: float) -> float:
        both = a + b
        return both * 2

    assert drawn(result)[0] == "both = First + Second Result = both × 2"


def test_branches_that_return_are_cases() -> None:
    def result(a: float, b: float) -> float:
        if a > b:
            return a
        return b

    assert drawn(result)[0] == "Result = { First if\xa0 First > Second Second otherwise"


def test_what_is_written_so_that_nothing_cancels_is_drawn_as_what_it_is() -> None:
    def result(a: float, b: float) -> float:
        return -expm1(a) + log1p(b) * expm1(b)

    minus = "\N{MINUS SIGN}"
    written = f"Result = 1 {minus} exp First + log ( 1 + Second ) × ( exp Second {minus} 1 )"
    assert drawn(result)[0].replace("\xa0", " ") == written


def twofold(size: float) -> float:
    """Twice as much."""
    return size * 2


def test_a_function_of_ours_is_drawn_by_its_name() -> None:
    def result(a: float, b: float) -> float:
        return twofold(a) + b

    assert drawn(result)[0] == "Result = twofold ( First ) + Second"


def largest_of(first: float, *, rest: float, b: float) -> float:
    """The largest of three."""
    return max(first, rest, b)


def test_an_argument_given_by_name_keeps_that_name_unless_it_is_its_own() -> None:
    def result(a: float, b: float) -> float:
        return largest_of(a, rest=2 * a, b=b)

    assert drawn(result)[0] == "Result = largest of ( First , rest = 2 × First , Second )"
    long = {"a": "A rather long label for one input", "b": "Another label as long as that"}
    assert drawn(result, **long)[0] == "Result = largest of ( {a} , rest = 2 × {a} , {b} )".format(**long)


def all_of(a: float, b: float) -> dict[str, float]:
    """Two arguments by their names."""
    return {"rest": a, "b": b}


def test_arguments_without_a_name_in_the_source_are_shown_as_python() -> None:
    def result(a: float, b: float) -> float:
        return largest_of(a, **all_of(a, b))

    assert drawn(result)[0] == "largest_of(a, **all_of(a, b))"


def test_a_condition_on_what_is_not_given_says_so_and_parts_may_follow_it() -> None:
    def result(a: float | None, b: float) -> float:
        if a is None:
            return b
        more = b + a
        return more * 2

    assert drawn(result)[0].replace("\xa0", " ") == (
        "more = Second + First Result = { Second if  First  is not given more × 2 otherwise"
    )


def test_a_result_that_is_unknown_is_called_so() -> None:
    def result(a: float | None, b: float) -> float | None:
        return None if a is None else b

    assert drawn(result)[0].replace("\xa0", " ") == "Result = { not known if  First  is not given Second otherwise"


def test_a_body_that_is_no_mathematics_is_shown_as_the_python_that_runs() -> None:
    def result(a: float, b: float) -> float:
        total = a
        for _ in range(3):
            total += b
        return total

    inputs = inputs_of(a=sized(label="First"), b=sized(label="Second"))
    formula = step("B", "Result")(result)
    shown = working(toy(inputs, formula, headline=["result"]), formula)
    assert shown.symbols.startswith("<pre><code>total = a\nfor _ in range(3)")
    assert shown.numbers.startswith('<pre data-python="result">total = 4 B\n')


def test_long_formulas_are_broken_into_rows() -> None:
    def result(a: float, b: float) -> float:
        return a * b + a - b

    inputs = inputs_of(
        a=sized(label="A rather long label for one input"), b=sized(label="Another label as long as that")
    )
    formula = step("B", "Result")(result)
    shown = working(toy(inputs, formula, headline=["result"]), formula)
    assert shown.symbols.count("<mtr>") == 5
    assert shown.numbers.count("<mtr>") == 0


def test_the_numbers_are_those_that_were_asked_for() -> None:
    calculator = CALCULATORS["checkpoint"]
    values = calculator.evaluate(
        parse_inputs(calculator, {"parameters": "405B", "recipe": "ckpt-bf16-master-adam"}).values
    )
    shown = working(calculator, calculator.steps["checkpoint_size"], values)
    assert slots(shown.numbers)["checkpoint_size"] == units.text(values["checkpoint_size"], "B")


def test_no_choice_shows_its_label_where_a_formula_has_its_key() -> None:
    for calculator in CALCULATORS.values():
        texts = values_of(calculator)
        for name, declared in calculator.inputs.items():
            if isinstance(declared, Choice):
                assert texts[name] in declared.options


def test_the_name_under_which_a_value_is_handed_on_stays_a_name() -> None:
    @step("B", "Result")
    def result(size: float) -> float:
        return handed(size=size)["size"]

    calculator = toy(inputs_of(size=sized()), result, headline=["result"])
    assert explain.substituted(calculator, result, {"size": "4 B"}) == "handed(size=4 B)['size']"


def handed(size: float) -> dict[str, float]:
    return {"size": size}


def test_a_row_that_is_all_of_a_row_is_not_reported_and_any_other_is() -> None:
    row = "<mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow>"
    plain = row.removeprefix("<mrow>").removesuffix("</mrow>")
    for report, short in (
        (f"<math>{row}</math>", f"<math>{plain}</math>"),
        (f"<math><mtd><mrow>{row}</mrow></mtd></math>", f"<math><mtd>{plain}</mtd></math>"),
        (f"<math><mfrac>{row}{row}</mfrac></math>", f"<math><mfrac>{row}{row}</mfrac></math>"),
        (f"<math><mtd>{row}<mo>=</mo>{row}</mtd></math>", f"<math><mtd>{row}<mo>=</mo>{row}</mtd></math>"),
    ):
        assert shortened(report) == short
