"""Ground truth: how a model is asked for it, what its reply must hold, and where in the source each item stands."""
