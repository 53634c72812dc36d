"""Hooks of mkdocs: pages that are made from the code, notebooks as pages, and nothing that is loaded from elsewhere."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files
from typer.main import get_command

from hornbeam.cli.app import app
from hornbeam.handbook import notebook_page, pages

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
_GENERATED = re.compile(r"GENERATED (\w+)")
# The theme's plug-in for offline use names a script on another host; ours does the same.
_SHIM = re.compile(r'<script src="https://[^"]*/iframe-worker/shim"></script>')


def made_pages() -> dict[str, str]:
    """All pages that no file of docs/ holds."""
    notebooks = {
        f"notebooks/{path.stem}.md": notebook_page(json.loads(path.read_text(encoding="utf-8")))
        for path in sorted((DOCS / "notebooks").glob("*.ipynb"))
    }
    return {**pages(DOCS, get_command(app)), **notebooks}


def on_config(config: Any) -> Any:
    """Put the generated pages into the navigation."""
    names = sorted(made_pages(), key=lambda name: (not name.endswith("index.md"), name))
    config.nav = _filled(config.nav, names)
    return config


def _filled(nav: Any, names: list[str]) -> Any:
    if isinstance(nav, list):
        return [_filled(entry, names) for entry in nav]
    if isinstance(nav, dict):
        return {title: _filled(entry, names) for title, entry in nav.items()}
    found = _GENERATED.fullmatch(nav)
    return [name for name in names if name.startswith(f"{found[1]}/")] if found else nav


def on_files(files: Files, config: Any) -> Files:
    """Add the generated pages. Notebooks are pages; their files are not copied."""
    for path, text in made_pages().items():
        files.append(File.generated(config, path, content=text))
    for file in [file for file in files if file.src_uri.endswith(".ipynb")]:
        files.remove(file)
    return files


def on_post_page(output: str, page: Any, config: Any) -> str:
    """Load the script for search in a folder from the site itself."""
    up = "../" * page.file.dest_uri.count("/")
    return _SHIM.sub(f'<script src="{up}assets/file-worker.js"></script>', output)


def on_post_template(output_content: str, template_name: str, config: Any) -> str:
    """The page of errors, too; it is always at the top."""
    return _SHIM.sub('<script src="assets/file-worker.js"></script>', output_content)
