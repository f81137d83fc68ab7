"""Storage measurements of any known format: fio JSON, IOR, mdtest, elbencho CSV, MLPerf Storage."""

from calculators.measured import elbencho, fio, ior, mdtest, mlperf_storage
from calculators.measured.record import ReadError, StorageRun, plain_text

_FORMATS = (fio, elbencho, mlperf_storage, ior, mdtest)


def runs(text: str) -> list[StorageRun]:
    """Every result in a text. Raises ReadError, which names the place and what to do."""
    text = plain_text(text)
    if not text.strip():
        message = "there is nothing in it: give the output of fio, IOR, mdtest, elbencho or MLPerf Storage"
        raise ReadError(message)
    known = [one for one in _FORMATS if one.is_this(text)]
    if not known:
        message = (
            "this is no output of storage that is known here: give fio's JSON (--output-format=json), the text of IOR "
            "or mdtest, elbencho's --csvfile, or summary.json of MLPerf Storage"
        )
        raise ReadError(message)
    return known[0].runs(text)
