"""The site: theme, bundles, service worker, and the seal on all of it."""
