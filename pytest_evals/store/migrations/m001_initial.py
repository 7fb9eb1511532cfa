"""The first schema. What each table and column means stands in ``store.tables``."""

SCRIPT = """
CREATE TABLE schema_info (
  version    INTEGER NOT NULL PRIMARY KEY,
  name       TEXT NOT NULL,
  applied_at INSTANT NOT NULL
END_TABLE;

CREATE TABLE experiments (
  id          ROW_ID,
  type        TEXT NOT NULL CONSTRAINT experiment_type CHECK (type IN ('checked', 'judged')),
  name        TEXT NOT NULL CONSTRAINT experiment_name CHECK (length(trim(name)) > 0),
  description TEXT NOT NULL DEFAULT '',
  config      JSONB NOT NULL DEFAULT '{}' CONSTRAINT experiment_config CHECK (IS_OBJECT(config)),
  created_at  INSTANT NOT NULL CONSTRAINT experiment_created CHECK (IS_INSTANT(created_at)),
  UNIQUE (type, name),
  UNIQUE (id, type)
END_TABLE;

CREATE TABLE experiment_cases (
  id                ROW_ID,
  experiment_id     ROW_REF NOT NULL,
  type              TEXT NOT NULL,
  eval              TEXT NOT NULL CONSTRAINT known_eval CHECK (eval <> ''),
  case_name         TEXT NOT NULL CONSTRAINT known_case CHECK (case_name <> ''),
  definition_sha256 TEXT CONSTRAINT known_definition CHECK (length(definition_sha256) = 64),
  first_seen_at     INSTANT NOT NULL CONSTRAINT known_seen CHECK (IS_INSTANT(first_seen_at)),
  UNIQUE (experiment_id, eval, case_name),
  FOREIGN KEY (experiment_id, type) REFERENCES experiments (id, type) ON DELETE CASCADE
END_TABLE;

CREATE TABLE experiment_runs (
  id             ROW_ID,
  uid            TEXT NOT NULL UNIQUE CONSTRAINT run_uid CHECK (length(uid) >= 8),
  type           TEXT NOT NULL CONSTRAINT run_type CHECK (type IN ('checked', 'judged')),
  experiment_id  ROW_REF,
  session_id     TEXT NOT NULL CONSTRAINT run_session CHECK (session_id <> ''),
  name           TEXT NOT NULL DEFAULT '',
  parent_run_id  ROW_REF REFERENCES experiment_runs (id) ON DELETE SET NULL,
  status         TEXT NOT NULL DEFAULT 'running',
  defined_cases  INTEGER CONSTRAINT run_defined CHECK (defined_cases >= 0),
  selected_cases INTEGER CONSTRAINT run_selected CHECK (selected_cases >= 0),
  total_cases    INTEGER NOT NULL DEFAULT 0 CONSTRAINT run_total CHECK (total_cases >= 0),
  passed_cases   INTEGER NOT NULL DEFAULT 0 CONSTRAINT run_passes CHECK (passed_cases >= 0),
  warned_cases   INTEGER NOT NULL DEFAULT 0 CONSTRAINT run_warned CHECK (warned_cases BETWEEN 0 AND passed_cases),
  failed_cases   INTEGER NOT NULL DEFAULT 0 CONSTRAINT run_fails CHECK (failed_cases >= 0),
  missed_cases   INTEGER NOT NULL DEFAULT 0 CONSTRAINT run_missed CHECK (missed_cases BETWEEN 0 AND failed_cases),
  error_cases    INTEGER NOT NULL DEFAULT 0 CONSTRAINT run_errors CHECK (error_cases >= 0),
  judged_cases   INTEGER NOT NULL DEFAULT 0 CONSTRAINT run_judged CHECK (judged_cases >= 0),
  skipped_cases  INTEGER NOT NULL DEFAULT 0 CONSTRAINT run_skipped CHECK (skipped_cases >= 0),
  pass_rate      REAL CONSTRAINT run_pass_rate CHECK (pass_rate BETWEEN 0 AND 1),
  score          REAL CONSTRAINT run_score CHECK (score BETWEEN 0 AND 1),
  cost_usd       REAL CONSTRAINT run_cost CHECK (FINITE(cost_usd)),
  unpriced_cases INTEGER NOT NULL DEFAULT 0 CONSTRAINT run_unpriced CHECK (unpriced_cases >= 0),
  error          TEXT,
  exit_status    INTEGER,
  stopped        TEXT NOT NULL DEFAULT '',
  gates          JSONB NOT NULL DEFAULT '[]' CONSTRAINT run_gates CHECK (IS_ARRAY(gates)),
  params         JSONB NOT NULL DEFAULT '{}' CONSTRAINT run_params CHECK (IS_OBJECT(params)),
  pinned         INTEGER NOT NULL DEFAULT 0 CONSTRAINT run_pinned CHECK (pinned IN (0, 1)),
  note           TEXT NOT NULL DEFAULT '',
  host           TEXT NOT NULL DEFAULT '',
  git_commit     TEXT,
  git_branch     TEXT,
  git_dirty      INTEGER CONSTRAINT run_dirty CHECK (git_dirty IN (0, 1)),
  ci_provider    TEXT,
  ci_url         TEXT,
  started_at     INSTANT NOT NULL CONSTRAINT run_started CHECK (IS_INSTANT(started_at)),
  heartbeat_at   INSTANT NOT NULL CONSTRAINT run_heartbeat CHECK (IS_INSTANT(heartbeat_at)),
  finished_at    INSTANT CONSTRAINT run_ended CHECK (IS_INSTANT(finished_at)),
  UNIQUE (id, type),
  UNIQUE (session_id, experiment_id, type),
  FOREIGN KEY (experiment_id, type) REFERENCES experiments (id, type) ON DELETE CASCADE,
  CONSTRAINT run_experiment CHECK (type <> 'checked' OR experiment_id IS NOT NULL),
  CONSTRAINT run_status CHECK ((type = 'checked' AND status IN ('running', 'passed', 'failed', 'cancelled'))
                            OR (type = 'judged' AND status IN ('running', 'completed', 'error', 'cancelled'))),
  CONSTRAINT run_finished CHECK ((status = 'running') = (finished_at IS NULL)),
  CONSTRAINT run_counts CHECK (passed_cases + failed_cases + error_cases + judged_cases <= total_cases),
  CONSTRAINT run_kinds CHECK ((type = 'checked' AND judged_cases = 0)
                           OR (type = 'judged' AND passed_cases = 0 AND failed_cases = 0)),
  CONSTRAINT run_passed CHECK (status <> 'passed' OR (total_cases > 0 AND passed_cases + missed_cases = total_cases)),
  CONSTRAINT run_order CHECK (finished_at >= started_at)
END_TABLE;
CREATE INDEX experiment_runs_newest ON experiment_runs (started_at, id);
CREATE INDEX experiment_runs_of ON experiment_runs (experiment_id, started_at, id);
CREATE INDEX experiment_runs_parent ON experiment_runs (parent_run_id) WHERE parent_run_id IS NOT NULL;

CREATE TABLE case_runs (
  id                ROW_ID,
  run_id            ROW_REF NOT NULL,
  type              TEXT NOT NULL,
  seq               INTEGER NOT NULL CONSTRAINT case_seq CHECK (seq >= 0),
  eval              TEXT NOT NULL CONSTRAINT case_eval CHECK (eval <> ''),
  case_name         TEXT NOT NULL CONSTRAINT case_id CHECK (case_name <> ''),
  variant           TEXT NOT NULL DEFAULT '',
  repeat_index      INTEGER NOT NULL DEFAULT 0 CONSTRAINT case_repeat CHECK (repeat_index >= 0),
  outcome           TEXT NOT NULL,
  status            TEXT,
  score             REAL CONSTRAINT case_score CHECK (score BETWEEN 0 AND 1),
  error             TEXT,
  error_kind        TEXT,
  error_type        TEXT,
  error_detail      TEXT,
  headline          TEXT NOT NULL DEFAULT '',
  skip_reason       TEXT,
  xfail             TEXT,
  gated             INTEGER NOT NULL DEFAULT 0 CONSTRAINT case_gated CHECK (gated IN (0, 1)),
  category          TEXT,
  tags              JSONB NOT NULL DEFAULT '[]' CONSTRAINT case_tags CHECK (IS_ARRAY(tags)),
  cost_usd          REAL CONSTRAINT case_cost CHECK (FINITE(cost_usd)),
  judge_cost_usd    REAL CONSTRAINT case_judge_cost CHECK (FINITE(judge_cost_usd)),
  input_tokens      INTEGER CONSTRAINT case_input_tokens CHECK (input_tokens >= 0),
  output_tokens     INTEGER CONSTRAINT case_output_tokens CHECK (output_tokens >= 0),
  cached_tokens     INTEGER CONSTRAINT case_cached CHECK (
                      cached_tokens IS NULL OR (cached_tokens >= 0 AND input_tokens IS NOT NULL
                                                AND cached_tokens <= input_tokens)),
  latency_ms        REAL CONSTRAINT case_latency CHECK (FINITE(latency_ms)),
  latencies_ms      JSONB NOT NULL DEFAULT '[]' CONSTRAINT case_latencies CHECK (IS_ARRAY(latencies_ms)),
  attempts          INTEGER NOT NULL DEFAULT 1 CONSTRAINT case_attempts CHECK (attempts >= 0),
  definition_sha256 TEXT CONSTRAINT case_definition CHECK (length(definition_sha256) = 64),
  threshold         REAL CONSTRAINT case_threshold CHECK (threshold BETWEEN 0 AND 1),
  no_verdict        INTEGER NOT NULL DEFAULT 0 CONSTRAINT case_no_verdict CHECK (no_verdict IN (0, 1)),
  warn              REAL CONSTRAINT case_warn CHECK (warn BETWEEN 0 AND 1),
  title             TEXT NOT NULL DEFAULT '',
  node_id           TEXT NOT NULL DEFAULT '',
  source            TEXT NOT NULL DEFAULT '',
  target            TEXT NOT NULL DEFAULT '',
  started_at        INSTANT CONSTRAINT case_started CHECK (IS_INSTANT(started_at)),
  finished_at       INSTANT CONSTRAINT case_finished CHECK (IS_INSTANT(finished_at)),
  metadata          JSON NOT NULL DEFAULT '{}' CONSTRAINT case_metadata CHECK (IS_OBJECT(metadata)),
  input             JSON CONSTRAINT case_input CHECK (IS_JSON(input)),
  context           JSON CONSTRAINT case_context CHECK (IS_JSON(context)),
  expected_output   JSON CONSTRAINT case_expected CHECK (IS_JSON(expected_output)),
  reference_outputs JSON NOT NULL DEFAULT '[]' CONSTRAINT case_references CHECK (IS_ARRAY(reference_outputs)),
  trials            JSON NOT NULL DEFAULT '[]' CONSTRAINT case_trials CHECK (IS_ARRAY(trials)),
  UNIQUE (id, type),
  UNIQUE (run_id, seq),
  UNIQUE (eval, case_name, run_id, variant, repeat_index),
  FOREIGN KEY (run_id, type) REFERENCES experiment_runs (id, type) ON DELETE CASCADE,
  CONSTRAINT case_outcome CHECK (outcome IN ('passed', 'warned', 'failed', 'errored', 'scored', 'skipped')),
  CONSTRAINT case_status CHECK (status IS NULL
                             OR (type = 'checked' AND status IN ('passed', 'failed', 'error'))
                             OR (type = 'judged' AND status IN ('judged', 'error'))),
  CONSTRAINT case_outcome_status CHECK (coalesce(status, '') = CASE outcome
      WHEN 'passed' THEN 'passed' WHEN 'warned' THEN 'passed' WHEN 'failed' THEN 'failed'
      WHEN 'errored' THEN 'error' WHEN 'scored' THEN 'judged' ELSE '' END),
  CONSTRAINT case_error CHECK ((outcome = 'errored') = (coalesce(error, '') <> '')),
  CONSTRAINT case_error_kind CHECK ((outcome = 'errored') = (coalesce(error_kind, '') <> '')),
  CONSTRAINT case_skipped CHECK (outcome = 'skipped' OR skip_reason IS NULL),
  CONSTRAINT case_judged CHECK (outcome <> 'scored' OR score IS NOT NULL),
  CONSTRAINT case_marks CHECK (no_verdict = 0 OR threshold IS NULL)
END_TABLE;

CREATE TABLE case_scores (
  case_run_id ROW_REF NOT NULL REFERENCES case_runs (id) ON DELETE CASCADE,
  seq         INTEGER NOT NULL CONSTRAINT score_seq CHECK (seq >= 0),
  name        TEXT NOT NULL,
  scorer      TEXT NOT NULL,
  state       TEXT NOT NULL CONSTRAINT score_states CHECK (state IN ('scored', 'skipped', 'error')),
  score       REAL CONSTRAINT score_score CHECK (score BETWEEN 0 AND 1),
  passed      INTEGER CONSTRAINT score_passed CHECK (passed IN (0, 1)),
  weight      REAL NOT NULL DEFAULT 1 CONSTRAINT score_weight CHECK (FINITE(weight)),
  mark        REAL CONSTRAINT score_mark CHECK (mark BETWEEN 0 AND 1),
  threshold   REAL CONSTRAINT score_threshold CHECK (threshold BETWEEN 0 AND 1),
  reason      TEXT NOT NULL DEFAULT '',
  error       JSON CONSTRAINT score_error CHECK (IS_OBJECT(error)),
  detail      JSON NOT NULL DEFAULT '{}' CONSTRAINT score_detail CHECK (IS_OBJECT(detail)),
  PRIMARY KEY (case_run_id, seq),
  CONSTRAINT score_state CHECK ((state = 'scored') = (score IS NOT NULL)),
  CONSTRAINT score_failure CHECK ((state = 'error') = (error IS NOT NULL))
END_CLUSTERED;

CREATE TABLE case_run_trajectories (
  id            ROW_ID,
  case_run_id   ROW_REF NOT NULL REFERENCES case_runs (id) ON DELETE CASCADE,
  seq           INTEGER NOT NULL CONSTRAINT trajectory_seq CHECK (seq >= 0),
  kind          TEXT NOT NULL CONSTRAINT trajectory_kind CHECK (kind <> ''),
  trajectory_id TEXT NOT NULL UNIQUE CONSTRAINT trajectory_name CHECK (IS_FILE_ID(trajectory_id)),
  agent_name    TEXT NOT NULL DEFAULT '',
  steps         INTEGER NOT NULL CONSTRAINT trajectory_steps CHECK (steps >= 0),
  cost_usd      REAL CONSTRAINT trajectory_cost CHECK (FINITE(cost_usd)),
  path          TEXT NOT NULL,
  sha256        TEXT CONSTRAINT trajectory_sha256 CHECK (length(sha256) = 64),
  artifact_ids  JSONB NOT NULL DEFAULT '[]' CONSTRAINT trajectory_artifacts CHECK (IS_ARRAY(artifact_ids)),
  UNIQUE (case_run_id, seq)
END_TABLE;

CREATE TABLE checked_case_meta (
  case_run_id   ROW_REF NOT NULL PRIMARY KEY,
  type          TEXT NOT NULL DEFAULT 'checked' CONSTRAINT checked_type CHECK (type = 'checked'),
  answer        TEXT,
  problems      JSON NOT NULL DEFAULT '[]' CONSTRAINT checked_problems CHECK (IS_ARRAY(problems)),
  passed_checks JSON NOT NULL DEFAULT '[]' CONSTRAINT checked_passed CHECK (IS_ARRAY(passed_checks)),
  dataset_id    TEXT,
  steps         INTEGER CONSTRAINT checked_steps CHECK (steps >= 0),
  FOREIGN KEY (case_run_id, type) REFERENCES case_runs (id, type) ON DELETE CASCADE
END_TABLE;

CREATE TABLE judged_run_meta (
  run_id        ROW_REF NOT NULL PRIMARY KEY,
  type          TEXT NOT NULL DEFAULT 'judged' CONSTRAINT judged_run_type CHECK (type = 'judged'),
  eval          TEXT NOT NULL,
  subject_model TEXT,
  judge_model   TEXT,
  mean_score    REAL CONSTRAINT judged_mean CHECK (mean_score BETWEEN 0 AND 1),
  counters      JSONB NOT NULL DEFAULT '{}' CONSTRAINT judged_counters CHECK (IS_OBJECT(counters)),
  FOREIGN KEY (run_id, type) REFERENCES experiment_runs (id, type) ON DELETE CASCADE
END_TABLE;

CREATE TABLE judged_case_meta (
  case_run_id     ROW_REF NOT NULL PRIMARY KEY,
  type            TEXT NOT NULL DEFAULT 'judged' CONSTRAINT judged_case_type CHECK (type = 'judged'),
  question        TEXT NOT NULL,
  expected        TEXT,
  answer          TEXT,
  judge_score     REAL,
  judge_reasoning TEXT,
  FOREIGN KEY (case_run_id, type) REFERENCES case_runs (id, type) ON DELETE CASCADE
END_TABLE;

CREATE VIEW v_case_runs AS
SELECT c.*,
       CASE c.status WHEN 'passed' THEN 'completed' WHEN 'failed' THEN 'completed' WHEN 'judged' THEN 'completed'
                     WHEN 'error' THEN 'errored' ELSE 'cancelled' END AS core_status,
       CASE c.status WHEN 'passed' THEN 'pass' WHEN 'failed' THEN 'fail' END AS verdict
FROM case_runs c;

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
