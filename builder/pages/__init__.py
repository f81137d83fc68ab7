"""Pages: content and templates become finished Markdown."""
