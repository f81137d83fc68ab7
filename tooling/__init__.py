"""What installs, finds and measures the tools around the project. Nothing here ends up on the site."""
