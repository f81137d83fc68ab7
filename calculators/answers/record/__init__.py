"""Design record: one page with the question, the answer, assumptions, uncertainty and what is not modeled."""
