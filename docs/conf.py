"""How the documentation is built: ``make docs``. Nothing is fetched, neither while building nor by the pages."""

from __future__ import annotations

from importlib.metadata import version as version_of

project = "pytest-evals"
author = "The pytest-evals-suite maintainers"
copyright = f"2026 {author}"
release = version_of("pytest-evals-suite")

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["_build"]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

nitpicky = True
suppress_warnings = ["misc.highlighting_failure"]  # the first line of a JSON example names its file in a comment
smartquotes = False  # option names such as --evals-report must stay two hyphens

html_theme = "furo"
html_title = f"pytest-evals {release}"
html_copy_source = False
html_show_sphinx = False
