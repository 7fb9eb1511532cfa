"""Documents that ground truth is made of and experiments run on: text and PDF."""
