"""Reports of a system: formats, record, bill of materials, comparison with another."""
