"""Floor 2: what people and programs read of a session; one file a format."""

from .registry import parse_report_option, said_by, write_report, written_report

__all__ = ["parse_report_option", "said_by", "write_report", "written_report"]
