"""Cases whose variants are compared with each other: whatever shuffles tests, they stay together and in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from .items import CaseItem
    from .state import State


class Comparing:
    """Puts the items of such a case where the first of them is, and that which others are compared with before them."""

    def __init__(self, state: State) -> None:
        self._state = state

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Generator[None, object, object]:
        outcome = yield
        if self._state.others:
            items[:] = self._ordered(items)
        return outcome

    def _ordered(self, items: list[pytest.Item]) -> list[pytest.Item]:
        groups: dict[tuple[Path, str], list[CaseItem]] = {}
        ordered: list[pytest.Item | list[CaseItem]] = []
        for item in items:
            key = self._key(item)
            if key is None:
                ordered.append(item)
                continue
            path, case_id, case_item = key
            if (path, case_id) not in groups:
                ordered.append(groups.setdefault((path, case_id), []))
            groups[path, case_id].append(case_item)
        found: list[pytest.Item] = []
        for each in ordered:
            if isinstance(each, list):
                each.sort(key=self._follows)
                found.extend(each)
            else:
                found.append(each)
        return found

    def _key(self, item: pytest.Item) -> tuple[Path, str, CaseItem] | None:
        from .items import CaseItem

        if not isinstance(item, CaseItem) or item.configuration is None:
            return None
        compared = any(self._state.others.keeps(item.suite.name, variant.id) for variant in item.suite.variants)
        return (item.path, item.case.id, item) if compared else None

    def _follows(self, item: CaseItem) -> bool:
        variant = item.configuration.id if item.configuration is not None else ""
        return not self._state.others.keeps(item.suite.name, variant)
