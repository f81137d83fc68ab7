"""Spreadsheets: a state of a calculator as a workbook whose cells are live formulas."""
