"""Responses to the pages of the site, on top of the calculators' answers."""
