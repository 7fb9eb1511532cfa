"""The table of cases: filters and the address, sorting, the keyboard, opened cases."""

from __future__ import annotations

import pytest
from reportsessions import many, small, variants


@pytest.fixture
def shown(show):
    return show(*small(), "#cases")


def test_filters_leave_the_cases_that_fit_and_stand_in_the_address(shown):
    assert shown.note() == "5 cases"
    shown.page.get_by_role("button", name="failed 1").click()
    assert shown.shows("refund-window")
    assert shown.hash() == "#cases?outcome=failed"
    shown.page.get_by_role("button", name="errored 1").click()
    assert shown.shows("refund-window", "slow")
    shown.page.locator(".menu summary", has_text="Tag").click()
    shown.page.get_by_label("legal").check()
    assert (shown.ids(), shown.note()) == (["refund-window"], "1 of 5 cases")
    assert shown.hash() == "#cases?outcome=failed&outcome=errored&tag=legal"
    shown.page.get_by_role("button", name="Clear filters").click()
    assert (len(shown.ids()), shown.hash()) == (5, "#cases")


ADDRESSES = {
    "suite=billing": ["later", "voucher"],
    "category=hours&outcome=errored": ["slow"],
    "criterion=missed+tone": ["refund-window"],
    "criterion=tone": ["opening-hours", "refund-window"],
    "change=broken": ["refund-window", "slow"],
    "text=curt": ["refund-window"],
    "text=void": ["voucher"],
    "text=RETURNS+packaging": ["refund-window"],
    "sort=score": ["refund-window", "voucher", "opening-hours", "slow", "later"],
    "sort=-score": ["opening-hours", "voucher", "refund-window", "slow", "later"],
    "sort=outcome&suite=bot": ["refund-window", "slow", "opening-hours"],
}


def test_an_address_shows_what_it_says(shown):
    for address, ids in ADDRESSES.items():
        shown.page.evaluate(f"location.hash = '#cases?{address}'")
        assert shown.shows(*ids), address


def test_a_search_looks_into_answers_and_can_be_cleared(shown):
    shown.page.keyboard.press("/")
    shown.page.keyboard.type("policy is void")
    shown.page.wait_for_selector(".nothing:not(.gone)")
    assert shown.page.locator(".nothing").inner_text() == "No case fits the filters."
    shown.page.get_by_role("searchbox").fill("valid")
    shown.page.wait_for_selector(".virtual-row >> text=voucher")
    assert shown.shows("voucher")
    assert shown.hash() == "#cases?text=valid"


def test_a_head_sorts_up_and_down_and_then_as_in_the_files(shown):
    head = shown.page.get_by_role("button", name="Latency")
    orders = []
    for _ in range(3):
        head.click()
        column = shown.page.locator("[role=columnheader].column-latency")
        orders.append((column.get_attribute("aria-sort"), shown.ids()[0], shown.hash()))
    assert orders == [
        ("ascending", "opening-hours", "#cases?sort=latency"),
        ("descending", "refund-window", "#cases?sort=-latency"),
        (None, "opening-hours", "#cases"),
    ]


def test_an_opened_case_shows_all_there_is_to_know(shown):
    case = shown.toggle(1)
    text = case.inner_text()
    for part in (
        "How long do I have to return a mug?",
        "in the original packaging",
        "'30 days' is missing",
        "0.40 < 0.70",
        "by llm_judge",
        "timeout: no answer within 30 s",
        "policy_lookup",
        "support-agent",
        "orders.json",
        "lookup_order",
        '"topic": "returns"',
        "340 ms",
        "$0.0010",
        "512",
        "broken, was passed 1",
        "weighted score 0.20 < 0.70 (threshold)",
    ):
        assert part in text
    assert case.locator(".diff").first.locator("del").all_inner_texts() == ["30", "the original"]
    assert case.locator(".diff").first.locator("ins").all_inner_texts() == ["14", "any"]
    assert shown.hash() == "#cases?open=bot::refund-window"
    shown.page.reload()
    assert "A little curt." in shown.page.locator("article.case").inner_text()
    shown.page.locator(".virtual-row.open .toggle").click()
    assert shown.hash() == "#cases"


def test_the_brief_and_the_command_are_copied(shown):
    case = shown.toggle(1)
    copied = "navigator.clipboard.readText()"
    case.get_by_role("button", name="Copy brief").click()
    case.get_by_role("button", name="copied").wait_for()
    brief = shown.page.evaluate(copied)
    assert brief.startswith("## bot::refund-window: failed\n")
    for part in (
        "pytest evals/bot.eval.yaml::refund-window",
        "within 14 days",
        "within 30 days.",
        "'30 days' is missing",
    ):
        assert part in brief
    case.get_by_role("button", name="Copy command").click()
    shown.page.wait_for_function(f"async () => (await {copied}).startsWith('pytest ')")
    assert shown.page.evaluate(copied) == "pytest evals/bot.eval.yaml::refund-window"
    assert shown.toggle(0).get_by_role("button", name="Copy brief").count() == 0, "nothing is to be done about it"


def test_what_a_case_printed_and_logged_is_there(shown):
    case = shown.toggle(1)
    case.locator("summary", has_text="Printed (stdout)").click()
    case.locator("summary", has_text="Log").click()
    assert "asked the policy" in case.inner_text()
    assert "no such topic" in case.inner_text()


def test_every_trial_of_a_case_can_be_looked_at(shown):
    case = shown.toggle(4)
    assert "2 of 3 trials passed, 2 of 3 must" in case.inner_text()
    assert "It is void." not in case.inner_text()
    case.get_by_role("button", name="2 failed").click()
    assert "It is void." in case.inner_text()
    assert case.get_by_role("button", name="2 failed").get_attribute("aria-pressed") == "true"


def test_the_table_is_used_with_the_keyboard_alone(show):
    shown = show(*many(300), "#cases")
    page = shown.page
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    page.locator(".toggle").first.focus()
    focused = "document.activeElement.getAttribute('aria-label')"
    page.keyboard.press("ArrowDown")
    assert page.evaluate(focused) == "bot::case-00001, passed"
    page.keyboard.press("Enter")
    assert "the answer number 1 " in page.locator("article.case").inner_text()
    page.keyboard.press("End")
    assert page.evaluate(focused) == "bot::case-00299, passed"
    box = page.locator(":focus").bounding_box()
    assert 0 <= box["y"] < 900
    page.keyboard.press("Home")
    assert page.evaluate(focused) == "bot::case-00000, passed"
    page.keyboard.press("Tab")
    assert page.evaluate(focused) == "bot::case-00001, passed"
    summary = page.locator(".menu summary").first if page.locator(".menu").count() else None
    if summary is not None:
        summary.press("Enter")
        summary.press("Escape")
        assert page.locator(".menu[open]").count() == 0


def test_a_long_table_keeps_what_is_off_the_screen_out_of_the_page(show):
    shown = show(*many(3000), "#cases")
    assert shown.note() == "3,000 cases"
    assert len(shown.ids()) < 60
    assert shown.page.locator(".case-table").get_attribute("aria-rowcount") == "3001"
    height = shown.page.locator(".case-table .virtual").bounding_box()["height"]
    shown.toggle(2).wait_for()
    grown = shown.page.locator(".case-table .virtual").bounding_box()["height"]
    assert grown > height + 100
    shown.page.evaluate("window.scrollTo(0, 50000)")
    shown.page.wait_for_selector(".id >> text=case-01300")
    assert len(shown.ids()) < 60
    shown.page.get_by_role("searchbox").fill("number 2999")
    shown.page.wait_for_selector(".id >> text=case-02999")
    assert shown.shows("case-02999")


def test_variants_stand_side_by_side_and_differing_ones_come_first(show):
    shown = show(*variants(), "#variants")
    rows = shown.page.locator(".variant-table .virtual .id")
    assert rows.all_inner_texts() == ["broken", "reworded"]
    assert shown.page.locator(".variant-table .head").inner_text().split("\n")[-3:] == ["Case", "small", "large"]
    shown.page.get_by_label("only cases whose variants differ").uncheck()
    assert rows.all_inner_texts() == ["broken", "reworded", "alike"]
    assert shown.hash() == "#variants?differing=no"
    shown.page.locator(".variant-table .toggle").first.click()
    case = shown.page.locator("article.case")
    assert case.locator(".diff del").all_inner_texts() == ["30"]
    assert case.locator(".diff ins").all_inner_texts() == ["14"]
    case.get_by_role("link", name="all of this case").last.click()
    assert shown.shows("broken")
    assert "variant=large" in shown.hash()
