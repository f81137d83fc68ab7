"""Energy of a site: generation of its own, and what making the machines emitted."""
