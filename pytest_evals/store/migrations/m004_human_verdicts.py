"""What people say of a result, beside what was computed of it."""

SCRIPT = """
CREATE TABLE human_verdicts (
  id          ROW_ID,
  case_run_id ROW_REF NOT NULL REFERENCES case_runs (id) ON DELETE CASCADE,
  criterion   TEXT NOT NULL DEFAULT '',
  verdict     TEXT CONSTRAINT human_verdict CHECK (verdict IN ('pass', 'fail')),
  note        TEXT NOT NULL DEFAULT '',
  author      TEXT NOT NULL CONSTRAINT human_author CHECK (author <> ''),
  created_at  INSTANT NOT NULL CONSTRAINT human_created CHECK (IS_INSTANT(created_at)),
  undone_at   INSTANT CONSTRAINT human_undone CHECK (IS_INSTANT(undone_at)),
  CONSTRAINT human_says CHECK (verdict IS NOT NULL OR note <> '')
END_TABLE;

CREATE INDEX human_verdicts_by_result ON human_verdicts (case_run_id);
"""
