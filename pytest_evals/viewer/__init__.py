"""Floor 4: the web viewer of the history and of result folders. Owns Starlette; extra ``view``."""
