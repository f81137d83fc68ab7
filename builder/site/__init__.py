"""The site: bundles, book, service worker, and the last steps on finished pages."""
