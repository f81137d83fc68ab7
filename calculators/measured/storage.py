"""Storage measurements of any known format: fio JSON, IOR, mdtest, elbencho CSV, MLPerf Storage."""

from collections.abc import Callable

from calculators.measured import elbencho, fio, ior, mdtest, mlperf_storage
from calculators.measured.pieces import Reading
from calculators.measured.record import ReadError, StorageRun, plain_text, reading

_FORMATS: tuple[tuple[Callable[[str], bool], Callable[[str], list[StorageRun]]], ...] = (
    (fio.recognizes, fio.runs),
    (elbencho.recognizes, elbencho.runs),
    (mlperf_storage.recognizes, mlperf_storage.runs),
    (ior.recognizes, ior.runs),
    (mdtest.recognizes, mdtest.runs),
)


def read(text: str) -> Reading[list[StorageRun]]:
    """Read a whole text as `runs` does, after one pause."""
    yield 0
    return runs(text)


@reading()
def runs(text: str) -> list[StorageRun]:
    """Every result in a text. Raises ReadError, which names the place and what to do."""
    text = plain_text(text)
    if not text.strip():
        message = "there is nothing in it: give the output of fio, IOR, mdtest, elbencho or MLPerf Storage"
        raise ReadError(message)
    runs_of = next((runs_of for recognizes, runs_of in _FORMATS if recognizes(text)), None)
    if runs_of is None:
        message = (
            "this is no output of storage that is known here: give fio's JSON (--output-format=json), the text of IOR "
            "or mdtest, elbencho's --csvfile, or summary.json of MLPerf Storage"
        )
        raise ReadError(message)
    return runs_of(text)
