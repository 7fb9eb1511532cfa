"""The page as a whole: the overview, themes, contrast, names of controls, narrow screens, paper."""

from __future__ import annotations

import pytest
from reportsessions import many, rated, small, variants

CONTRAST = """() => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const part = (v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const ground = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const [r, g, b, a = 1] = parse(getComputedStyle(at).backgroundColor);
      if (a > 0) return [r, g, b];
    }
    return [255, 255, 255];
  };
  const weak = [];
  for (const node of document.querySelectorAll("body *")) {
    const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
    if (!own || !node.getClientRects().length || ["SCRIPT", "STYLE"].includes(node.tagName)) continue;
    const [one, other] = [light(parse(getComputedStyle(node).color)), light(ground(node))];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (ratio < 4.5) weak.push(`${node.className} ${node.textContent.slice(0, 30)} ${ratio.toFixed(2)}`);
  }
  return weak;
}"""

UNNAMED = """() => [...document.querySelectorAll("a, button, input, select, summary, [role=img], [tabindex='0']")]
  .filter((node) => !(node.getAttribute("aria-label") || node.textContent.trim() || node.closest("label")?.textContent.trim()))
  .map((node) => node.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_a_contrast_of_at_least_4_5(show, scheme):
    shown = show(*small(), scheme=scheme)
    assert shown.page.evaluate(CONTRAST) == []
    shown.open("#cases?outcome=failed&outcome=errored&open=bot::refund-window&open=bot::slow")
    shown.page.wait_for_selector("article.case >> text=Traceback")
    assert shown.page.evaluate(CONTRAST) == []


def test_every_control_has_a_name(show):
    shown = show(*variants())
    assert shown.page.evaluate(UNNAMED) == []
    shown.open("#cases?open=bot::broken[large]")
    shown.page.wait_for_selector("article.case")
    shown.page.locator(".menu summary").first.click()
    assert shown.page.evaluate(UNNAMED) == []
    shown.open("#variants")
    assert shown.page.evaluate(UNNAMED) == []


def test_the_overview_says_the_verdict_and_leads_to_the_cases(show):
    shown = show(*small())
    page = shown.page
    assert page.title() == "failed: bot, billing"
    top = page.locator(".top").inner_text()
    for part in ("failed", "1 of 2 gates broken", "50.0%", "since last:main"):
        assert part in top
    legend = page.locator(".legends a")
    assert [text.split() for text in legend.all_inner_texts()][:2] == [["2", "passed"], ["1", "failed"]]
    gate = page.get_by_role("region", name="Gates").locator("tbody tr").first
    assert [cell.strip() for cell in gate.inner_text().split("\t")] == [
        "pass_rate >= 95%",
        "33.3%",
        "3",
        "broken",
        "61.7 pp too little",
    ]
    scores = page.get_by_role("img", name="scores: 3 cases")
    assert scores.get_attribute("aria-label") == "scores: 3 cases, most from 0.20 to 0.30, mean 0.62"
    page.get_by_role("link", name="1 failed").click()
    assert shown.shows("refund-window")
    page.go_back()
    page.get_by_role("link", name="2 broken").click()
    assert shown.shows("refund-window", "slow")
    page.get_by_role("link", name="Overview").click()
    page.get_by_role("link", name="refunds").click()
    assert shown.hash() == "#cases?category=refunds"


def test_the_matrix_names_the_weakest_criterion_of_each_variant(show):
    shown = show(*variants())
    rows = shown.page.get_by_role("region", name="Variants and criteria").locator("tbody tr")
    assert [text.split("\t")[-1] for text in rows.all_inner_texts()] == ["tone", "contains"]


def test_ratings_are_graded_and_the_weakest_is_named(show):
    shown = show(*rated())
    grades = shown.page.get_by_role("region", name="Ratings: grades").locator("tbody tr")
    assert [[cell.strip() for cell in text.split("\t")] for text in grades.all_inner_texts()] == [
        ["small", "58.3", "66.7", "8.3", "44.4", "fair", "topic_organization"],
        ["large", "91.7", "75.0", "66.7", "77.8", "good", "topic_organization"],
        ["all", "75.0", "70.8", "37.5", "61.1", "fair", "topic_organization"],
    ]
    given = shown.page.get_by_role("region", name="Ratings: how often").locator("tbody tr").first
    assert [cell.strip() for cell in given.inner_text().split("\t")] == [
        "detail_completeness",
        "good",
        "3",
        "4",
        "1",
        "0",
        "75.0",
    ]
    assert shown.page.evaluate(CONTRAST) == []
    assert shown.page.evaluate(UNNAMED) == []


def test_the_last_runs_of_the_experiment_are_a_chart_with_its_words(show):
    shown = show(*small())
    chart = shown.page.get_by_role("img", name="pass rate, last runs: 4 runs, 90.0% at first, 50.0% at last")
    assert chart.locator("polyline").count() == 2, "a run without a figure is a gap"
    points = shown.page.locator("figure", has=chart).locator(".dot")
    assert points.count() == 4
    assert points.last.get_attribute("title") == "2026-01-05 10:00, main, this run: 50.0%"


def test_the_theme_follows_the_system_until_it_is_chosen(show):
    shown = show(*small(), scheme="dark")
    page = shown.page
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    button = page.get_by_role("button", name="Dark theme")
    assert button.get_attribute("aria-pressed") == "true"
    button.click()
    light = page.evaluate(ground)
    assert light != dark
    assert button.get_attribute("aria-pressed") == "false"
    page.reload()
    assert page.evaluate(ground) == light


@pytest.mark.parametrize("address", ["", "#cases?open=bot::refund-window"])
def test_nothing_is_wider_than_a_telephone(show, address):
    shown = show(*small(), address, width=400)
    shown.page.wait_for_timeout(50)
    assert shown.page.evaluate("document.documentElement.scrollWidth") <= 400


def test_paper_gets_the_overview_and_the_cases_that_are_left_over_in_light(show):
    shown = show(*many(1200), "#cases?outcome=passed&open=bot::case-00000", scheme="dark")
    page = shown.page
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".top").is_visible()
    assert not page.locator(".filters").first.is_visible()
    assert page.locator(".case-table .virtual-row").count() == 1000
    assert page.locator(".printed").inner_text() == "and 80 more cases: filter to print others"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    assert len(shown.ids()) < 60
    assert not page.locator(".top").is_visible()


def test_without_scripts_the_page_is_the_section_of_the_terminal(browser, show):
    shown = show(*small())
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(shown.path.as_uri())
    text = page.inner_text("body")
    context.close()
    assert text.startswith("failed: 1 of 2 gates broken")
    assert "failed   refund-window" in text
