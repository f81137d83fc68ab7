"""Training memory."""
