"""Floor 3: what the plugin, the command line and the library do alike, such as recording a run."""
