"""Models that are no language models, named to a calculator of language models: where they are calculated."""

from __future__ import annotations

import shlex

import pytest

from calculators.__main__ import main
from calculators.catalog import CALCULATORS
from calculators.vocabulary.samples import CARRIED, SERVING, TRAINING, sample_models

Captured = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        (
            "inference --model resnet-50 --request-rate 5 --accelerator h200-sxm",
            "sample_inference --trained-model sample-model-resnet-50 --accelerator h200-sxm --sample-request-rate 5",
        ),
        (
            "training_memory --model dlrm-dcnv2 --gpus 16 --micro-batch 4096",
            "sample_training --trained-model sample-model-dlrm-dcnv2 --gpus 16 --batch-size 4096",
        ),
        ("kv_cache --model SDXL", "sample_inference --trained-model sample-model-sdxl"),
        (
            "training_time --model flux-1-dev --gpus 64",
            (
                "sample_training --trained-parameters '11.9B parameters' --forward-flops '74.4 TFLOP/sample' "
                "--activation-values '6.724 billion' --batch-size 1 --gpus 64"
            ),
        ),
        ("training_time --model flux", "sample_training --trained-model sample-model-flux-1-schnell"),
        ("inference --model flux", "sample_inference --trained-model sample-model-flux-1-dev"),
        ("training_memory --model alphafold", "sample_training --trained-model sample-model-alphafold-2"),
        (
            "inference --model openfold",
            (
                "sample_inference --trained-parameters '93.23M parameters' --forward-flops '11.8 TFLOP/sample' "
                "--activation-values '26.52 billion' --serving-batch 1"
            ),
        ),
        ("machine --model vit-l-16", "sample_training --trained-model sample-model-vit-l-16"),
    ],
)
def test_a_model_that_is_no_decoder_is_referred_with_what_was_typed(typed: str, command: str, capsys: Captured) -> None:
    assert main(shlex.split(typed)) == 2
    text = capsys.readouterr().err
    assert "is not a language model" in text
    assert f"python -m calculators {command}\n" in text
    assert main(shlex.split(command)) == 0  # no dead end


@pytest.mark.parametrize("key", sample_models())
@pytest.mark.parametrize("name", ["inference", "training_memory", "training_time"])
def test_every_such_model_leads_to_an_answer(name: str, key: str, capsys: Captured) -> None:
    assert main([name, "--model", key.removeprefix("sample-model-")]) == 2
    command = capsys.readouterr().err.partition("python -m calculators ")[2]
    assert main(shlex.split(command)) == 0


def test_a_name_that_no_calculator_knows_gets_the_list() -> None:
    preset = next(one for one in CALCULATORS["inference"].presets if one.name == "model")
    assert preset.elsewhere is not None
    assert preset.elsewhere("llama-9", {}) == ""
    assert preset.elsewhere("s", {}) == ""


@pytest.mark.parametrize("target", [TRAINING, SERVING])
def test_what_goes_along_is_an_input_there(target: str) -> None:
    assert set(CARRIED[target].values()) <= set(CALCULATORS[target].canonical_names)
