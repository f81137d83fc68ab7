"""The build, one stage a module: content and templates become finished pages, and pages become a site."""
