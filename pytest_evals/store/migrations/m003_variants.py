"""The variant of the suite that a case ran with, apart from what parameters of fixtures add to its test's name."""

SCRIPT = """
ALTER TABLE case_runs ADD COLUMN variant_id TEXT NOT NULL DEFAULT '';

DROP VIEW v_case_runs;
CREATE VIEW v_case_runs AS
SELECT c.*,
       CASE c.status WHEN 'passed' THEN 'completed' WHEN 'failed' THEN 'completed' WHEN 'judged' THEN 'completed'
                     WHEN 'error' THEN 'errored' ELSE 'cancelled' END AS core_status,
       CASE c.status WHEN 'passed' THEN 'pass' WHEN 'failed' THEN 'fail' END AS verdict
FROM case_runs c;
"""
