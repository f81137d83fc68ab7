"""Resolving: every input gets a value and an origin, or the reader gets a sentence for each thing that was wrong."""

from __future__ import annotations

import re
from typing import Any

import pytest

from calculators import facts, units
from calculators.answers.input_state import (
    _suggestion,
    parse_inputs,
    parse_value,
    parsing_notes,
    typed_text,
    valid_inputs,
)
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator, Choice, InputError, Preset, Quantity, choice, computed, switch
from tests.declare.test_declare import inputs_of, sized, toy
from tests.each import each

CHECKPOINT = CALCULATORS["checkpoint"]
QUANTITIES = [
    pytest.param(calculator, declared, id=f"{calculator.name}.{declared.name}")
    for calculator in CALCULATORS.values()
    for declared in calculator.inputs.values()
    if isinstance(declared, Quantity)
]
CHOICES = [
    pytest.param(calculator, declared, id=f"{calculator.name}.{declared.name}")
    for calculator in CALCULATORS.values()
    for declared in calculator.inputs.values()
    if isinstance(declared, Choice)
]


def problem(name: str, typed: Any, calculator: Any = CHECKPOINT) -> str:
    """What is wrong with one input."""
    return parse_inputs(calculator, {name: typed}).problems[name]


def test_nothing_given_is_the_defaults_and_the_default_presets() -> None:
    resolved = parse_inputs(CHECKPOINT, {})
    assert not resolved.problems
    assert set(resolved.origins.values()) <= {"default", "preset", "computed"}
    assert resolved.origins["read_bandwidth"] == "computed"
    assert resolved.origins["parameters"] == "preset"
    assert resolved.presets["model"]


def test_what_the_reader_gives_goes_before_a_preset() -> None:
    resolved = parse_inputs(CHECKPOINT, {"model": "llama-3-1-405b", "parameters": "7B"})
    assert resolved.values["parameters"] == 7e9
    assert resolved.origins["parameters"] == "yours"
    assert resolved.presets["model"] == "llama-3-1-405b"


def test_a_chosen_preset_fills_its_inputs_with_its_facts() -> None:
    preset = next(preset for preset in CHECKPOINT.presets if preset.name == "model")
    for record in preset.records:
        resolved = parse_inputs(CHECKPOINT, {"model": record.key})
        assert not resolved.problems
        assert resolved.values["parameters"] == record.value("parameters")
        assert resolved.origins["parameters"] == "preset"


@pytest.mark.parametrize("calculator", CALCULATORS.values(), ids=CALCULATORS.keys())
def test_every_record_of_every_preset_gives_an_answer(calculator: Any) -> None:
    for preset in calculator.presets:
        for record in preset.records:
            resolved = parse_inputs(calculator, {preset.name: record.key})
            assert not resolved.problems, record.key
            calculator.evaluate(resolved.values)
            for name, value in preset.filled(record.key).items():
                declared = calculator.inputs[name]
                if isinstance(declared, Quantity) and value is not None:
                    assert declared.hard[0] <= value <= declared.hard[1], f"{record.key}.{name} is out of range"


def test_a_preset_the_reader_did_not_choose_fills_nothing_besides_what_was_given() -> None:
    resolved = parse_inputs(CHECKPOINT, {"parameters": "7B"})
    assert resolved.presets["model"] == ""


def test_no_preset_leaves_the_declared_defaults() -> None:
    resolved = parse_inputs(CHECKPOINT, {"model": "none"})
    assert resolved.origins["parameters"] == "default"


def test_an_unknown_preset_is_named_with_those_there_are() -> None:
    text = problem("model", "gpt-9")
    assert "gpt-9" in text
    assert "llama-3-70b" in text


def test_dashes_underscores_and_aliases_name_the_same_input() -> None:
    for name in ("checkpoint_interval", "checkpoint-interval", "interval"):
        assert parse_inputs(CHECKPOINT, {name: "30min"}).values["checkpoint_interval"] == 1800


@pytest.mark.parametrize("calculator", CALCULATORS.values(), ids=CALCULATORS.keys())
def test_no_two_inputs_answer_to_one_name(calculator: Any) -> None:
    spoken = [alias for preset in calculator.presets for alias in (preset.name, *preset.aliases)]
    spoken += [alias for declared in calculator.inputs.values() for alias in (declared.name, *declared.aliases)]
    assert len(spoken) == len(set(spoken)) == len(calculator.canonical_names)


@pytest.mark.parametrize("calculator", CALCULATORS.values(), ids=CALCULATORS.keys())
def test_no_two_results_of_a_calculator_have_one_label(calculator: Any) -> None:
    labels = [formula.label for formula in calculator.steps.values()]
    assert len(labels) == len(set(labels))


def test_out_of_range_says_the_range_and_what_was_typed() -> None:
    assert problem("parameters", "0") == "Model parameters must be between 1M and 1,000T, not 0"
    assert (
        problem("write_bandwidth", "1 kB/s") == "Storage write bandwidth must be between 1 MB/s and 1 PB/s, not 1 kB/s"
    )


def test_a_zero_where_nothing_is_meant_is_answered_with_the_word_for_it() -> None:
    goodput = CALCULATORS["goodput"]
    assert problem("planned_interval", "0", goodput) == (
        "Interval between planned stops must be between 60 s and 365 days, not 0; for none write “none”"
    )
    assert problem("planned_interval", "1 s", goodput).endswith("and 365 days, not 1 s")
    assert parse_inputs(goodput, {"planned_interval": "none"}).values["planned_interval"] is None


def test_a_bare_number_that_lacks_its_unit_gets_a_suggestion() -> None:
    assert problem("parameters", "70").endswith("; did you mean 70B?")
    assert problem("ranks", "1", CALCULATORS["collectives"]) == "GPUs in the group must be between 2 and 1M, not 1"
    assert problem("write_bandwidth", "40").endswith("; did you mean 40 GB/s?")
    memory = CALCULATORS["training_memory"]
    assert problem("gpu_memory", "80", memory).endswith("; did you mean 80 GiB?")
    # Its slider begins at 0 s, where a tenth of a nanosecond lies as well.
    assert problem("layer_latency", "0.1", CALCULATORS["inference"]).endswith("; did you mean 0.1 ms?")


def test_no_unit_is_meant_with_which_a_number_is_off_the_slider() -> None:
    """From a second to three: 5 ms is too short and 5 s too long, 3 s is just there."""
    declared = Quantity(unit="s", label="Wait", default=2.0, hard=(0, 100), slider=(1, 3))
    assert [_suggestion(declared, typed) for typed in ("5", "3", "1")] == [
        "",
        "; did you mean 3 s?",
        "; did you mean 1 s?",
    ]


def test_what_is_counted_must_be_whole() -> None:
    assert problem("gpus", "8.5") == "GPUs in the job must be a whole number, not 8.5"


def test_an_unknown_option_is_named_with_those_there_are() -> None:
    assert problem("checkpoint_mode", "sometimes") == (
        "Checkpoint mode must be one of synchronous, asynchronous, not “sometimes”"
    )


@pytest.mark.parametrize(
    ("typed", "meant"), [("async", "asynchronous"), ("SYNC", "synchronous"), ("a", "asynchronous")]
)
def test_an_unambiguous_beginning_is_the_option(typed: str, meant: str) -> None:
    assert parse_inputs(CHECKPOINT, {"checkpoint_mode": typed}).values["checkpoint_mode"] == meant


def test_an_ambiguous_beginning_names_the_options_it_may_mean() -> None:
    assert problem("attention", "m", CALCULATORS["kv_cache"]) == "Attention must be one of mha, mqa, mla, not “m”"
    assert problem("checkpoint_mode", "") == "Checkpoint mode must be one of synchronous, asynchronous, not “”"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("gpt-3", "gpt-3-175b"), ("GPT3", "gpt-3-175b"), ("Llama 3.1 405B", "llama-3-1-405b"), ("mistral", "mistral-7b")],
)
def test_a_menu_takes_a_name_as_people_write_it_or_its_unambiguous_beginning(typed: str, meant: str) -> None:
    assert parse_inputs(CHECKPOINT, {"model": typed}).presets["model"] == meant


def test_a_menu_whose_keys_begin_with_the_same_word_takes_the_rest_of_them() -> None:
    """As files of own facts name their records: `[drives.offer-b]` is drive-offer-b."""
    demand = CALCULATORS["storage_demand"]
    assert parse_inputs(demand, {"drive": "d5-p5336"}).presets["drive"] == "drive-d5-p5336"
    assert parse_inputs(demand, {"drive": "D7 PS1010"}).presets["drive"] == "drive-d7-ps1010"
    assert problem("drive", "d7", demand) == "Drive must be one of drive-d7-ps1010, drive-d7-ps1030, not “d7”"


def test_an_ambiguous_name_of_a_menu_names_the_records_it_may_mean() -> None:
    assert problem("model", "Mixtral") == "Model must be one of mixtral-8x7b, mixtral-8x22b, not “Mixtral”"


def test_a_comma_that_groups_nothing_is_refused_and_named() -> None:
    assert problem("write_bandwidth", "2,5TB/s") == (
        "Storage write bandwidth: “2,5TB/s”: commas only group thousands, as in 1,000,000; write 2.5TB/s"
    )


def test_another_kind_of_quantity_says_what_to_write() -> None:
    assert problem("checkpoint_interval", "3 GB") == (
        "Checkpoint interval: “3 GB” is not a time; write for example 30 min"
    )


def test_all_problems_are_reported_at_once() -> None:
    with pytest.raises(InputError) as refused:
        valid_inputs(CHECKPOINT, {"parameters": "0", "gpus": "many", "checkpoint_mode": "x", "colour": "red"})
    assert list(refused.value.problems) == ["parameters", "gpus", "checkpoint_mode", "colour"]
    assert "“colour” is not an input" in refused.value.problems["colour"]


@pytest.mark.parametrize("value", [True, None, [], {}, object(), b"5"])
def test_what_is_no_number_at_all_is_refused_with_a_sentence(value: object) -> None:
    assert "must be a number" in problem("gpus", value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 1e400, 10**400])
def test_numbers_that_are_no_numbers_are_refused_with_a_sentence(value: float) -> None:
    assert "GPUs in the job" in problem("gpus", value)


@each(QUANTITIES)
def test_beyond_each_end_of_the_hard_range_is_refused_and_the_ends_are_not(calculator: Any, declared: Quantity) -> None:
    factor = units.unit(declared.unit).factor  # a bare number is in the declared unit
    low, high = (end / factor for end in declared.hard)
    for end in (low, high):
        found = parse_inputs(calculator, {declared.name: end}).problems.get(declared.name, "")
        assert "must be between" not in found
    beyond = [high * 2 + 1, low - abs(low) / 2 - 0.1]
    for value in beyond:
        text = parse_inputs(calculator, {declared.name: value}).problems[declared.name]
        assert re.match(rf"{re.escape(declared.label)} must be between .+ and .+, not ", text)


@each(QUANTITIES)
def test_the_text_of_each_box_reads_back_as_its_value(calculator: Any, declared: Quantity) -> None:
    values = [value for value in (declared.default, *declared.hard, *declared.slider) if value is not None]
    for value in values:
        resolved = parse_inputs(calculator, {declared.name: declared.box(value)})
        assert resolved.values[declared.name] == pytest.approx(value, rel=1e-15)


@each(CHOICES)
def test_each_option_reads_back_as_itself(calculator: Any, declared: Choice) -> None:
    for key, option in declared.options.items():
        assert declared.key(option.value) == key, "two options share a value"
        for typed in (key, key.upper(), key.replace("-", "_")):
            resolved = parse_inputs(calculator, {declared.name: typed})
            assert resolved.values[declared.name] == option.value


def test_an_input_that_defaults_to_another_takes_its_value_until_it_is_given() -> None:
    alone = {"model": "none", "parameters": "40B"}
    followed = parse_inputs(CALCULATORS["training_time"], alone)
    assert followed.values["active_parameters"] == 40e9
    assert (followed.origins["active_parameters"], followed.words["active_parameters"]) == ("computed", "counted")
    pinned = parse_inputs(CALCULATORS["training_time"], {**alone, "active_parameters": "10B"})
    assert (pinned.values["active_parameters"], pinned.origins["active_parameters"]) == (10e9, "yours")
    assert "active_parameters" not in pinned.words


def test_an_empty_box_and_the_word_in_it_give_nothing() -> None:
    for typed in ("", " ", "counted", "Counted"):
        resolved = parse_inputs(CALCULATORS["training_memory"], {"parameters": typed})
        assert resolved.origins["parameters"] == "computed"
        assert resolved.given == {}
        assert resolved.values["parameters"] == pytest.approx(70.6e9, rel=0.001)


def test_an_alternative_counts_only_where_what_it_waits_for_is_given() -> None:
    memory = CALCULATORS["training_memory"]
    assert parse_inputs(memory, {}).values["data_parallel"] == 16
    assert parse_inputs(memory, {}).values["gpus"] == 8 * 4 * 16
    given = parse_inputs(memory, {"gpus": "1024"})
    assert (given.values["data_parallel"], given.words["data_parallel"]) == (32, "GPUs ÷ GPUs per replica")


def test_a_dense_models_active_parameters_follow_the_parameters_the_reader_gives() -> None:
    dense = parse_inputs(CALCULATORS["training_time"], {"model": "llama-3-70b", "parameters": "40B"})
    assert dense.values["active_parameters"] == dense.values["parameters"]
    assert not dense.problems
    experts = parse_inputs(CALCULATORS["training_time"], {"model": "mixtral-8x7b", "parameters": "60B"})
    assert experts.values["active_parameters"] < experts.values["parameters"]


def test_a_bare_number_of_bytes_far_below_the_usual_is_repeated() -> None:
    demand = CALCULATORS["storage_demand"]
    text = "Checkpoint size: “5.68” was read as 5.68 B; write 5.68 TB if that is meant."
    assert parsing_notes(demand, parse_inputs(demand, {"checkpoint_size": "5.68"})) == [text]
    for plain in ("5.68 TB", "5.68 B", "0", "5.68e12", "1e10"):  # the slider begins at the last of them
        assert parsing_notes(demand, parse_inputs(demand, {"checkpoint_size": plain})) == []


def test_none_is_nothing_where_there_may_be_nothing_whatever_the_word_for_it() -> None:
    loader = CALCULATORS["data_loader"]
    for word in ("none", "None", "no cache", ""):
        assert parse_inputs(loader, {"cache_per_node": word}).values["cache_per_node"] is None
    assert "epochs" in parse_inputs(loader, {"epochs": "none"}).problems


def menued(**filled: Any) -> Calculator:
    """A menu of one record that fills these; the weight is the size unless given, and there is a switch."""
    fields = {
        name: facts.Fact(key=name, name=name, value=value, unit="B", kind="published") for name, value in filled.items()
    }
    kit = facts.Record(key="kit", table="kits", name="Kit", fields=fields)
    inputs = inputs_of(
        size=sized(scale="log"),
        weight=sized(default=(computed("size", "as large"), 4.0)),
        count=sized(whole=True, hard=(0, 100), slider=(0, 50)),
        broken=switch(default=False, label="Broken"),
    )
    menu = Preset(name="kit", label="Kit", records=(kit,), fills={name: name for name in filled}, default="kit")
    return toy(inputs, presets=(menu,))


@pytest.mark.parametrize(
    ("name", "typed", "middle", "ends"),
    [
        ("size", "4–9", 6.0, (4.0, 9.0)),  # by ratios: as far from four as from nine
        ("weight", "4–9", 6.5, (4.0, 9.0)),
        ("count", "4 to 10", 7.0, (4.0, 10.0)),
        ("count", "0–9", 4.0, (0.0, 9.0)),  # four and a half is no count
    ],
)
def test_a_range_counts_as_its_middle_and_is_reported_by_its_ends(
    name: str, typed: str, middle: float, ends: tuple[float, float]
) -> None:
    calculator = menued()
    resolved = parse_inputs(calculator, {name: typed})
    assert (resolved.values[name], resolved.explicit.ranges) == (middle, {name: ends})
    again = parse_inputs(calculator, {name: typed_text(calculator.inputs[name], resolved)})
    assert again.explicit.ranges == resolved.explicit.ranges
    (note,) = parsing_notes(calculator, resolved)
    assert f"results use {middle:g} B, the middle of " in note
    plain = parse_inputs(calculator, {name: "7", "broken": "yes"})
    assert [typed_text(calculator.inputs[one], plain) for one in (name, "broken")] == ["7 B", "yes"]


def test_a_range_from_nothing_has_its_middle_halfway_where_ratios_would_give_nothing() -> None:
    found = parse_inputs(CALCULATORS["storage_demand"], {"checkpoint_size": "0 TB–9 TB"})
    assert found.explicit.ranges["checkpoint_size"] == (0, 9e12)
    assert found.values["checkpoint_size"] == 4.5e12


def test_a_range_that_cannot_be_read_or_reaches_too_far_is_a_problem_of_its_input() -> None:
    calculator = menued()
    assert parse_inputs(calculator, {"size": "4–9 furlongs"}).problems["size"].startswith("Size: ")
    assert parse_inputs(calculator, {"size": "4–900"}).problems["size"].startswith("Size must be between 1 B and 100 B")


def test_what_a_menu_copies_follows_what_the_reader_makes_of_the_original_and_what_it_states_stays() -> None:
    """A weight of eight next to a size of eight is that size; one of seven, or of nine, is its own."""
    for weight, follows in ((8.0, 30.0), (7.0, 7.0), (9.0, 9.0)):
        assert parse_inputs(menued(size=8.0, weight=weight), {"kit": "kit", "size": "30"}).values["weight"] == follows


def test_a_menu_fills_a_switch_with_its_word() -> None:
    assert parse_inputs(menued(broken="yes"), {}).values["broken"] is True
    assert parse_inputs(menued(broken="no"), {}).values["broken"] is False


def test_of_many_names_twenty_are_listed_and_the_others_counted() -> None:
    for count, more in ((20, ""), (21, " and 1 more"), (45, " and 25 more")):
        names = [f"n{place}" for place in range(count)]
        declared = choice("n0", "Way", dict.fromkeys(names, "a way")).metadata["declared"]
        with pytest.raises(ValueError, match="Way must be") as refused:
            parse_value(declared, "x")
        assert str(refused.value) == f"Way must be one of {', '.join(names[:20])}{more}, not “x”"
