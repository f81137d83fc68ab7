"""Scripts that install, find and measure the tools around the project. Nothing here ends up on the site."""
