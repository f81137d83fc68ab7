"""Money: what owning and renting cost, and what a run, a useful hour and a million tokens do."""
