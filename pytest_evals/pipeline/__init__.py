"""Floor 2: test data, ground truth and templates, made by asking models outside pytest, and the files they live in."""
