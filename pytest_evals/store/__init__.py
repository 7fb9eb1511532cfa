"""Floor 2: the history of runs, and the journal that keeps a run while it is alive. Owns SQLAlchemy.

``journal``, ``location``, ``names``, ``owner``, ``folder`` and ``times`` need the standard library alone, so that a
session loads SQLAlchemy (0.2 s) only when it has a run to store.
"""
