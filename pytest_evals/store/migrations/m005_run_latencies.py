"""How long the answers of a run took, so that a trend over runs need not read all their results."""

SCRIPT = """
ALTER TABLE experiment_runs ADD COLUMN latency_p50_ms REAL
  CONSTRAINT run_latency_p50 CHECK (FINITE(latency_p50_ms));
ALTER TABLE experiment_runs ADD COLUMN latency_p95_ms REAL
  CONSTRAINT run_latency_p95 CHECK (FINITE(latency_p95_ms));

DROP VIEW v_runs;
CREATE VIEW v_runs AS
SELECT r.*,
       CASE r.status WHEN 'running' THEN 'running' WHEN 'error' THEN 'errored' WHEN 'cancelled' THEN 'cancelled'
                     ELSE 'completed' END AS core_status,
       CASE r.status WHEN 'passed' THEN 'pass' WHEN 'failed' THEN 'fail' END AS verdict,
       r.passed_cases + r.failed_cases + r.judged_cases AS n_completed,
       r.error_cases AS n_errored,
       CASE WHEN r.status = 'running'
            THEN r.total_cases - r.passed_cases - r.failed_cases - r.error_cases - r.judged_cases
            ELSE 0 END AS n_pending,
       CASE WHEN r.status = 'running' THEN 0
            ELSE r.total_cases - r.passed_cases - r.failed_cases - r.error_cases - r.judged_cases END AS n_cancelled
FROM experiment_runs r;
"""
