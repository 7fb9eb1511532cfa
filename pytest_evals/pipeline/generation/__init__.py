"""Synthetic meetings, e-mails and documents: what there is to ask for, how it is asked, and what is checked."""
