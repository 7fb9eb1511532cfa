"""What talks to models, and what keeps the talk within bounds. Floor 1: one file a provider, SDKs imported on connect."""
