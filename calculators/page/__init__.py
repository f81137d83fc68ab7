"""What the pages of the site ask for, on top of what calculators answer."""
