"""Sheets of a workbook."""
