"""Resources of a machine: its rates, its capacities, what more of each gains and costs."""
