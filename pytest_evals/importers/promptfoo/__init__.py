"""Configuration files of promptfoo, in YAML or JSON, and its tests in CSV."""
