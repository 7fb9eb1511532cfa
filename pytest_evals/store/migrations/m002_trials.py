"""Several trials of a case: how many were planned, what decides over them, and what became of them."""

SCRIPT = """
ALTER TABLE case_runs ADD COLUMN planned_trials INTEGER NOT NULL DEFAULT 1
  CONSTRAINT case_planned CHECK (planned_trials >= 1);
ALTER TABLE case_runs ADD COLUMN pass_if TEXT NOT NULL DEFAULT '';
ALTER TABLE case_runs ADD COLUMN trial_outcomes JSON
  CONSTRAINT case_trial_outcomes CHECK (IS_OBJECT(trial_outcomes));
ALTER TABLE case_runs ADD COLUMN flaky INTEGER
  CONSTRAINT case_flaky CHECK (flaky IN (0, 1));

DROP VIEW v_case_runs;
CREATE VIEW v_case_runs AS
SELECT c.*,
       CASE c.status WHEN 'passed' THEN 'completed' WHEN 'failed' THEN 'completed' WHEN 'judged' THEN 'completed'
                     WHEN 'error' THEN 'errored' ELSE 'cancelled' END AS core_status,
       CASE c.status WHEN 'passed' THEN 'pass' WHEN 'failed' THEN 'fail' END AS verdict
FROM case_runs c;
"""
