"""How Sphinx builds the site: `make docs`. ROUTH_DOCS=quick draws only the quick pictures of the gallery."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent / "src")]
os.environ["MPLBACKEND"] = "Agg"

from routh.version import __version__  # noqa: E402

project, author, release = "Routh", "The authors of Routh", __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "markdown_docstrings", "families", "page_links", "native_math", "drawn"]
myst_enable_extensions = ["dollarmath", "amsmath", "attrs_inline"]
myst_heading_anchors = 3
exclude_patterns = ["_ext"]
highlight_language = "none"

autodoc_default_options = {"exclude-members": "where"}  # how messages call an element
add_module_names = False
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100

html_theme = "furo"
html_title = f"Routh {release}"
html_show_sphinx = html_show_sourcelink = html_show_copyright = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_theme_options = {"light_css_variables": {"color-brand-primary": "#1f5fa8", "color-brand-content": "#1f5fa8"},
                      "dark_css_variables": {"color-brand-primary": "#7fb2ea", "color-brand-content": "#7fb2ea"}}
