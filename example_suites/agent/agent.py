"""A small agent: rules instead of a model, tools over a shop's database, every step recorded.

Two of its rules are bad on purpose: it asks again for an order that does not exist, and it never refunds a part.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from pytest_evals import trajectory

SHOP = Path(__file__).with_name("shop.sql").read_text("utf-8")
TRIES = 3


class Tools:
    """What the agent can do, and what it does is recorded."""

    def __init__(self, database, steps):
        self.database = database
        self.steps = steps

    def call(self, name, **arguments):
        step = self.steps.agent("", model_calls=0)
        call = step.call(name, arguments)
        try:
            result = getattr(self, name)(**arguments)
        except LookupError as error:
            call.result(f"Error: {error.args[0]}", error=True)
            return None
        call.result(result)
        return result

    def search_products(self, query):
        rows = self.database.execute("SELECT sku, name, price FROM products WHERE instr(?, name)", (query,))
        return [{"sku": sku, "name": name, "price": price} for sku, name, price in rows]

    def stock(self, sku):
        (left,) = self.database.execute("SELECT stock FROM products WHERE sku = ?", (sku,)).fetchone()
        return {"sku": sku, "left": left}

    def find_order(self, number):
        row = self.database.execute("SELECT total, state FROM orders WHERE number = ?", (number,)).fetchone()
        if row is None:
            raise LookupError(f"there is no order {number}")
        return {"number": number, "total": row[0], "state": row[1]}

    def refund(self, number, amount):
        self.database.execute("INSERT INTO refunds VALUES (?, ?)", (number, amount))
        self.steps.artifact(f"refund-{number}")
        return {"refunded": amount}


def answer(question):
    """The answer to a customer. Every question meets a shop as it is in shop.sql."""
    with (
        closing(sqlite3.connect(":memory:")) as database,
        trajectory.record(agent="shop-agent", version="1") as steps,
    ):
        database.executescript(SHOP)
        steps.system("Help the customers of a shop for mugs. Look things up; never guess.")
        steps.user(question)
        said = decide(question.lower(), Tools(database, steps))
        steps.agent(said, model_calls=0)
    return said


def decide(question, tools):
    number = re.search(r"\b(\d{4})\b", question)
    if number:
        return about_order(question, int(number[1]), tools)
    products = tools.call("search_products", query=question)
    if not products:
        return "We sell mugs, cups and pots. Which one do you mean?"
    product = products[0]
    if "cost" in question or "price" in question:
        return f"A {product['name']} costs {product['price']:.2f} euros."
    left = tools.call("stock", sku=product["sku"])["left"]
    return f"There are {left} of the {product['name']} left." if left else f"The {product['name']} is sold out."


def about_order(question, number, tools):
    for _ in range(TRIES):  # the database may be slow
        order = tools.call("find_order", number=number)
        if order is not None:
            break
    else:
        return f"I cannot find order {number}."
    if "refund" not in question:
        return f"Order {number} is {order['state']}."
    if order["state"] != "delivered":
        return f"Order {number} is {order['state']}: it can be refunded once it has arrived."
    tools.call("refund", number=number, amount=order["total"])
    return f"Order {number} is refunded: {order['total']:.2f} euros."
