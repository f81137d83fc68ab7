"""One machine: a job and a machine described once, every consequence of it, what holds it back, what to change next."""
