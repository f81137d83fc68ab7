"""Images: how long all nodes wait for the same one, from servers that hand it out."""

from calculators.declare import step


@step(
    "s",
    "Time until every node has its image",
    rises_with=("image_size", "nodes_to_install"),
    falls_with=("image_servers",),
)
def install_time(image_size: float, nodes_to_install: float, image_servers: float, port_rate: float) -> float:
    """Time until all nodes have read `image_size` [B] from servers that each send `port_rate` [B/s] [s].

    The ports are the narrowest place and never idle: the least that it takes. How many nodes a server takes at a time
    does not matter to that.

    >>> round(install_time(20e9, 512, 1, 3.125e9) / 60, 1)
    54.6
    >>> install_time(5, 3, 2, 3)
    2.5
    """
    return image_size * nodes_to_install / (image_servers * port_rate)
