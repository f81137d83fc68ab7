"""The record of a review: one page that says what was asked, answered, assumed and left out, and how sure it is."""
