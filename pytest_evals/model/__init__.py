"""Floor 0: the values everything else speaks in. Standard library only."""
