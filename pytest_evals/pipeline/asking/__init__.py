"""Asking models outside pytest: bounded, repeated, paid once, and with its costs."""
