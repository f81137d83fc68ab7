"""The engine: Pyodide and the calculators, packed for browsers."""
