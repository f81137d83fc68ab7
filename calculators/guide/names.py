"""Names: how many a data set of single files has, and the space that they take where names live."""

from calculators.declare import step


@step("1", "Files of a data set", rises_with=("stored",), falls_with=("file_size",))
def file_count(stored: float, file_size: float) -> float:
    """Files of `file_size` [B] on average in `stored` [B].

    >>> file_count(2e15, 100e3)
    20000000000.0
    """
    return stored / file_size


@step("B", "Space of the names", rises_with=("file_count", "space_per_name"))
def names_space(file_count: float, space_per_name: float) -> float:
    """Bytes of the names of so many files [B] at `space_per_name` [B]: inode, entry and attributes, before copies.

    >>> names_space(150e6, 3333)
    499950000000.0
    """
    return file_count * space_per_name


@step("s", "One operation on every name", falls_with=("name_rate",))
def walk_time(file_count: float, name_rate: float) -> float:
    """Time of one operation on each of so many files at `name_rate` [1/s] [s].

    >>> walk_time(100e6, 50_000)
    2000.0
    """
    return file_count / name_rate
