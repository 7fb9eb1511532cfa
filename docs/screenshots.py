"""Makes the pictures of the HTML report that the documentation shows, in docs/images: python docs/screenshots.py.

Runs the example suites in a temporary folder, the support bot several times and in the end with a slip in its knowledge
base, so that there is a history and a baseline to compare with. Needs Chromium.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome")

SLIPS = {
    "a photo within 14 days": "a photo within 4 days",
    "within 5 working days": "within 9 working days",
    "orders over €60": "orders over €90",
    "within 30 days": "within 3 days",
}
"""What may go wrong: each text of knowledge.md becomes another."""

STORY = (("within 30 days", "orders over €60"), ("orders over €60",), ("orders over €60",))
"""What is wrong in the runs before the last one."""

LAST = ("a photo within 14 days", "within 5 working days")

SHOTS = (
    # name, suite, address, width, height, colours
    ("overview", "support_bot", "#overview", 1280, 1180, "light"),
    ("case", "support_bot", "#cases?change=broken&open={broken}", 1280, 980, "dark"),
    ("cases", "support_bot", "#cases?sort=outcome", 1280, 640, "light"),
    ("variants", "gsm8k", "#variants", 1280, 640, "light"),
    ("phone", "support_bot", "#overview", 400, 860, "light"),
)


def run(folder: Path, suite: str, *arguments: str) -> None:
    """Run a suite with pytest; failing cases are part of the story."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", suite, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stdout + done.stderr)


def reports(folder: Path) -> dict[str, Path]:
    """An HTML report of each example, by the name of its suite."""
    for suite in ("support_bot", "gsm8k"):
        shutil.copytree(ROOT / "example_suites" / suite, folder / suite)
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    knowledge = folder / "support_bot" / "knowledge.md"
    known = knowledge.read_text("utf-8")
    for slips in STORY:
        knowledge.write_text(slipped(known, slips), encoding="utf-8")
        run(folder, "support_bot")
    knowledge.write_text(slipped(known, LAST), encoding="utf-8")
    run(folder, "support_bot", "--evals-baseline", "last", "--evals-report", "html:support_bot.html")
    run(folder, "gsm8k", "--evals-report", "html:gsm8k.html")
    return {suite: folder / f"{suite}.html" for suite in ("support_bot", "gsm8k")}


def slipped(text: str, slips: tuple[str, ...]) -> str:
    """The text with some slips."""
    for right in slips:
        text = text.replace(right, SLIPS[right])
    return text


def picture(browser: Any, path: Path, shot: tuple[str, str, str, int, int, str]) -> None:
    """Open a report and take the picture."""
    name, _, address, width, height, colours = shot
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=colours)
    page.goto(path.as_uri() + "#cases?change=broken")
    page.wait_for_selector("html[data-ready]")
    toggle = page.locator(".case-table .toggle").first
    broken = toggle.get_attribute("aria-label").rpartition(",")[0] if toggle.count() else ""
    page.goto(path.as_uri() + address.format(broken=broken))
    page.wait_for_function("!document.body.innerText.includes('unpacking')")
    page.wait_for_timeout(300)
    page.screenshot(path=IMAGES / f"html-{name}.png")
    page.close()


def main() -> None:
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        raise SystemExit("needs Chromium: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        made = reports(Path(folder))
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        for shot in SHOTS:
            picture(browser, made[shot[1]], shot)
            print(IMAGES / f"html-{shot[0]}.png")
        browser.close()


if __name__ == "__main__":
    main()
