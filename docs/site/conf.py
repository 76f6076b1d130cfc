# SPDX-License-Identifier: Apache-2.0
"""The documentation as a site: `make docs` builds it into build/docs.

The pages are the files of the repository as they are, so that a link works in
both. What only the site needs is added here while the pages are read: the
navigation, and colours for the code of Heddle C.
"""

import glob
import os
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)

from lexers import CudaLexer, HeddleLexer, OutputLexer, ShellLexer  # noqa: E402

with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
    release = re.search(r"VERSION\s+(\d+\.\d+\.\d+)", file.read()).group(1)
project = "Heddle"
author = "the authors of Heddle"
copyright = author

extensions = ["myst_parser"]
myst_heading_anchors = 4  # links to headings are those of the repository's page
html_theme = "furo"
html_title = f"Heddle {release}"
html_static_path = ["static"]
html_css_files = ["heddle.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_use_index = False
highlight_language = "text"

root_doc = "README"
PAGES = ["README.md", "CHANGELOG.md", "HACKING.md", "STYLE.md", "docs"]
exclude_patterns = [name for name in os.listdir(ROOT) if name not in PAGES]
exclude_patterns += ["docs/site", "docs/man"]


def listed(contents):
    """The pages that a page of contents links to, in its order."""
    with open(os.path.join(ROOT, contents), encoding="utf-8") as file:
        return re.findall(r"\]\(([\w-]+)\.md\)", file.read())


def chapter(caption, folder):
    """The sidebar's entries for a folder: those of its contents come first."""
    paths = sorted(glob.glob(os.path.join(ROOT, folder, "*.md")))
    pages = [os.path.basename(path)[:-len(".md")] for path in paths]
    entries = []
    if "README" in pages:
        pages.remove("README")
        order = listed(folder + "/README.md")
        pages.sort(key=lambda page: order.index(page) if page in order
                   else len(order))
        entries = [f"Contents </{folder}/README>"]
    return toctree(caption, entries + [f"/{folder}/{page}" for page in pages])


def toctree(caption, entries):
    return "\n".join(["", "```{toctree}", ":hidden:", ":caption: " + caption, "",
                      *entries, "```", ""])


def add_navigation(_app, page, source):
    if page == root_doc:
        source[0] += (
            chapter("Guide", "docs/guide")
            + chapter("Reference", "docs/reference")
            + toctree("Diagnostics", ["/docs/errors/README"])
            + toctree("Changing Heddle", ["/HACKING", "/STYLE"])
            + chapter("Internals", "docs/internals")
            + toctree("Versions", ["/CHANGELOG"]))


def read_navigation(_app, _env, added, _changed, removed):
    """The page with the navigation, again, where a page is new or gone."""
    return [root_doc] if added or removed else []


def leave_out_diagnostics(_app, env):
    """Their page of contents lists them; the sidebar would be too long."""
    for page in env.found_docs:
        if page.startswith("docs/errors/HD"):
            env.metadata[page]["orphan"] = True


def name_index(app, failure):
    """README.html is also found as index.html, which lies beside it."""
    if failure is None and app.builder.name == "html":
        shutil.copyfile(os.path.join(app.outdir, "README.html"),
                        os.path.join(app.outdir, "index.html"))


def setup(app):
    app.add_lexer("hd", HeddleLexer)
    app.add_lexer("cu", CudaLexer)
    app.add_lexer("sh", ShellLexer)
    app.add_lexer("output", OutputLexer)
    app.connect("source-read", add_navigation)
    app.connect("env-get-outdated", read_navigation)
    app.connect("env-updated", leave_out_diagnostics)
    app.connect("build-finished", name_index)
