"""Networks: what training sends over them."""
