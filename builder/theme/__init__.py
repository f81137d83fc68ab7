"""The theme: everything that knows MkDocs and Material. Its templates are in templates/theme/."""
