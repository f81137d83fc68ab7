"""The site: what the machine asks of power, and what it costs."""
