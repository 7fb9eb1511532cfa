"""Talking to models, and keeping the talk within limits. Floor 1: one file a provider, SDKs imported on connect."""
