"""States drawn by chance from every calculator and system, and what must hold in each of them."""
