"""Pages without the white space that templates indent with say the same, in as many lines where lines count."""

from __future__ import annotations

from builder.site.minify import minified


def test_one_line_break_is_left_where_there_was_more_around_it() -> None:
    assert minified("<ul>\n    <li>one\n\n\n  <li>two  \n</ul>\n") == "<ul>\n<li>one\n<li>two\n</ul>\n"


def test_spaces_within_a_line_stay() -> None:
    assert minified("<p>one  two <b> three</b>") == "<p>one  two <b> three</b>"


def test_what_is_shown_or_run_as_it_is_written_keeps_all_of_it() -> None:
    for kept in (
        "<pre><code>a\n\n    b</code></pre>",
        "<script>if (a)\n\n  b // not c\n\n  d</script>",
        '<script type="application/json">{\n\n  "a": 1}</script>',
        "<textarea>\n\n  a\n\n</textarea>",
        "<style>\n\n  a {}\n</style>",
    ):
        assert minified(f"<p>\n\n  {kept}\n\n  <p>") == f"<p>\n{kept}\n<p>"
