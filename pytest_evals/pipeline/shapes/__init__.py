"""The files of the pipeline as values, with their readers and writers. The keys are those other tools know."""
