"""The order desk of a small shop for mugs: reads an order out of an e-mail and writes it as JSON. No model, no network.

    python desk.py "Two blue mugs to Lyon, please. Ann Lee"

It looks every product up with the tool ``stock_lookup`` and, when it has a complete order, books it with
``place_order``. The answer is the order between two sentences, as assistants like to write it.
"""

from __future__ import annotations

import json
import re
import sys

from pytest_evals import Response, ToolCall

PRICES = {"MUG-BLUE": 12.5, "MUG-RED": 12.5, "MUG-GOLD": 19.9, "CUP-ESPRESSO": 8.0}
IN_STOCK = {"MUG-BLUE": 40, "MUG-RED": 3, "MUG-GOLD": 0, "CUP-ESPRESSO": 12}
NUMBERS = {
    "a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10
}  # fmt: skip
PRODUCTS = {
    r"blue mugs?": "MUG-BLUE",
    r"red mugs?": "MUG-RED",
    r"(?:gold mugs?|mugs? with (?:a )?gold rims?)": "MUG-GOLD",
    r"espresso cups?": "CUP-ESPRESSO",
}
CITIES = ("Berlin", "Lyon", "Oslo", "Vienna")


def order(mail: str) -> Response:
    """The answer to an e-mail, with the tools that were called."""
    lines, calls = [], []
    for pattern, sku in PRODUCTS.items():
        found = re.search(rf"\b(\d+|{'|'.join(NUMBERS)}) {pattern}\b", mail, re.IGNORECASE)
        if found:
            calls.append(ToolCall("stock_lookup", {"sku": sku}))
            amount = NUMBERS.get(found[1].lower()) or int(found[1])
            lines.append({"sku": sku, "amount": amount, "in_stock": IN_STOCK[sku] >= amount})
    city = next((city for city in CITIES if city in mail), None)
    name = re.search(r"([A-Z]\w+ [A-Z]\w+)\W*$", mail)
    written = {
        "customer": name[1] if name else None,
        "city": city,
        "lines": lines,
        "total": round(sum(PRICES[line["sku"]] * line["amount"] for line in lines), 2),
    }
    if lines and city and name and all(line["in_stock"] for line in lines):
        # as models send it: the arguments are text
        sent = json.dumps({"customer": written["customer"], "skus": [line["sku"] for line in lines], "city": city})
        calls.append(ToolCall("place_order", sent))
    text = f"Here is the order:\n\n```json\n{json.dumps(written, indent=2)}\n```\n\nShall I change anything {{yes/no}}?"
    return Response(text, tool_calls=calls)


if __name__ == "__main__":
    print(order(" ".join(sys.argv[1:])).output)
