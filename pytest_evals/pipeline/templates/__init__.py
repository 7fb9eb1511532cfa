"""Templates for answers of systems that cannot be called: made of ground truth or documents, in four formats."""
