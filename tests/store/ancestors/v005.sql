BEGIN TRANSACTION;
CREATE TABLE case_run_trajectories (
  id            INTEGER PRIMARY KEY,
  case_run_id   INTEGER NOT NULL REFERENCES case_runs (id) ON DELETE CASCADE,
  seq           INTEGER NOT NULL CONSTRAINT trajectory_seq CHECK (seq >= 0),
  kind          TEXT NOT NULL CONSTRAINT trajectory_kind CHECK (kind <> ''),
  trajectory_id TEXT NOT NULL UNIQUE CONSTRAINT trajectory_name CHECK ((length(trajectory_id) BETWEEN 1 AND 200 AND trajectory_id NOT GLOB '*[^A-Za-z0-9._-]*' AND trajectory_id NOT GLOB '.*')),
  agent_name    TEXT NOT NULL DEFAULT '',
  steps         INTEGER NOT NULL CONSTRAINT trajectory_steps CHECK (steps >= 0),
  cost_usd      REAL CONSTRAINT trajectory_cost CHECK ((cost_usd >= 0 AND cost_usd < 9e999)),
  path          TEXT NOT NULL,
  sha256        TEXT CONSTRAINT trajectory_sha256 CHECK (length(sha256) = 64),
  artifact_ids  TEXT NOT NULL DEFAULT '[]' CONSTRAINT trajectory_artifacts CHECK ((artifact_ids IS NULL OR (json_valid(artifact_ids) AND json_type(artifact_ids) = 'array'))),
  UNIQUE (case_run_id, seq)
) STRICT;
CREATE TABLE case_runs (
  id                INTEGER PRIMARY KEY,
  run_id            INTEGER NOT NULL,
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
  tags              TEXT NOT NULL DEFAULT '[]' CONSTRAINT case_tags CHECK ((tags IS NULL OR (json_valid(tags) AND json_type(tags) = 'array'))),
  cost_usd          REAL CONSTRAINT case_cost CHECK ((cost_usd >= 0 AND cost_usd < 9e999)),
  judge_cost_usd    REAL CONSTRAINT case_judge_cost CHECK ((judge_cost_usd >= 0 AND judge_cost_usd < 9e999)),
  input_tokens      INTEGER CONSTRAINT case_input_tokens CHECK (input_tokens >= 0),
  output_tokens     INTEGER CONSTRAINT case_output_tokens CHECK (output_tokens >= 0),
  cached_tokens     INTEGER CONSTRAINT case_cached CHECK (
                      cached_tokens IS NULL OR (cached_tokens >= 0 AND input_tokens IS NOT NULL
                                                AND cached_tokens <= input_tokens)),
  latency_ms        REAL CONSTRAINT case_latency CHECK ((latency_ms >= 0 AND latency_ms < 9e999)),
  latencies_ms      TEXT NOT NULL DEFAULT '[]' CONSTRAINT case_latencies CHECK ((latencies_ms IS NULL OR (json_valid(latencies_ms) AND json_type(latencies_ms) = 'array'))),
  attempts          INTEGER NOT NULL DEFAULT 1 CONSTRAINT case_attempts CHECK (attempts >= 0),
  definition_sha256 TEXT CONSTRAINT case_definition CHECK (length(definition_sha256) = 64),
  threshold         REAL CONSTRAINT case_threshold CHECK (threshold BETWEEN 0 AND 1),
  no_verdict        INTEGER NOT NULL DEFAULT 0 CONSTRAINT case_no_verdict CHECK (no_verdict IN (0, 1)),
  warn              REAL CONSTRAINT case_warn CHECK (warn BETWEEN 0 AND 1),
  title             TEXT NOT NULL DEFAULT '',
  node_id           TEXT NOT NULL DEFAULT '',
  source            TEXT NOT NULL DEFAULT '',
  target            TEXT NOT NULL DEFAULT '',
  started_at        TEXT CONSTRAINT case_started CHECK ((started_at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9][0-9][0-9][0-9]+00:00')),
  finished_at       TEXT CONSTRAINT case_finished CHECK ((finished_at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9][0-9][0-9][0-9]+00:00')),
  metadata          TEXT NOT NULL DEFAULT '{}' CONSTRAINT case_metadata CHECK ((metadata IS NULL OR (json_valid(metadata) AND json_type(metadata) = 'object'))),
  input             TEXT CONSTRAINT case_input CHECK ((input IS NULL OR json_valid(input))),
  context           TEXT CONSTRAINT case_context CHECK ((context IS NULL OR json_valid(context))),
  expected_output   TEXT CONSTRAINT case_expected CHECK ((expected_output IS NULL OR json_valid(expected_output))),
  reference_outputs TEXT NOT NULL DEFAULT '[]' CONSTRAINT case_references CHECK ((reference_outputs IS NULL OR (json_valid(reference_outputs) AND json_type(reference_outputs) = 'array'))),
  trials            TEXT NOT NULL DEFAULT '[]' CONSTRAINT case_trials CHECK ((trials IS NULL OR (json_valid(trials) AND json_type(trials) = 'array'))), planned_trials INTEGER NOT NULL DEFAULT 1
  CONSTRAINT case_planned CHECK (planned_trials >= 1), pass_if TEXT NOT NULL DEFAULT '', trial_outcomes TEXT
  CONSTRAINT case_trial_outcomes CHECK ((trial_outcomes IS NULL OR (json_valid(trial_outcomes) AND json_type(trial_outcomes) = 'object'))), flaky INTEGER
  CONSTRAINT case_flaky CHECK (flaky IN (0, 1)), variant_id TEXT NOT NULL DEFAULT '',
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
) STRICT;
INSERT INTO "case_runs" VALUES(1,1,'checked',0,'bot','refund','',0,'passed','passed',1.0,NULL,NULL,NULL,NULL,'',NULL,NULL,0,NULL,'["smoke"]',NULL,NULL,NULL,NULL,NULL,NULL,'[]',0,NULL,NULL,0,NULL,'','evals/bot.eval.yaml::refund','evals/bot.eval.yaml:7','',NULL,NULL,'{}','"How long do I have to return a mug?"',NULL,NULL,'[]','[{"outcome":"passed","score":1.0}]',1,'',NULL,NULL,'');
INSERT INTO "case_runs" VALUES(2,1,'checked',1,'bot','größe “x”','small',0,'failed','failed',NULL,NULL,NULL,NULL,NULL,'tone 0.25 < 0.70',NULL,NULL,0,NULL,'[]',0.25,NULL,12,5,3,12.5,'[12.5]',0,NULL,NULL,0,NULL,'','evals/bot.eval.yaml::größe “x”','evals/bot.eval.yaml:7','',NULL,NULL,'{"ticket":1234,"nested":{"a":null}}','"How long do I have to return a mug?"',NULL,NULL,'[]','[{"outcome":"failed","latency_ms":12.5,"usage":{"input_tokens":12,"output_tokens":5,"cached_tokens":3},"cost_usd":0.25}]',1,'',NULL,NULL,'');
CREATE TABLE case_scores (
  case_run_id INTEGER NOT NULL REFERENCES case_runs (id) ON DELETE CASCADE,
  seq         INTEGER NOT NULL CONSTRAINT score_seq CHECK (seq >= 0),
  name        TEXT NOT NULL,
  scorer      TEXT NOT NULL,
  state       TEXT NOT NULL CONSTRAINT score_states CHECK (state IN ('scored', 'skipped', 'error')),
  score       REAL CONSTRAINT score_score CHECK (score BETWEEN 0 AND 1),
  passed      INTEGER CONSTRAINT score_passed CHECK (passed IN (0, 1)),
  weight      REAL NOT NULL DEFAULT 1 CONSTRAINT score_weight CHECK ((weight >= 0 AND weight < 9e999)),
  mark        REAL CONSTRAINT score_mark CHECK (mark BETWEEN 0 AND 1),
  threshold   REAL CONSTRAINT score_threshold CHECK (threshold BETWEEN 0 AND 1),
  reason      TEXT NOT NULL DEFAULT '',
  error       TEXT CONSTRAINT score_error CHECK ((error IS NULL OR (json_valid(error) AND json_type(error) = 'object'))),
  detail      TEXT NOT NULL DEFAULT '{}' CONSTRAINT score_detail CHECK ((detail IS NULL OR (json_valid(detail) AND json_type(detail) = 'object'))),
  PRIMARY KEY (case_run_id, seq),
  CONSTRAINT score_state CHECK ((state = 'scored') = (score IS NOT NULL)),
  CONSTRAINT score_failure CHECK ((state = 'error') = (error IS NOT NULL))
) STRICT, WITHOUT ROWID;
INSERT INTO "case_scores" VALUES(1,0,'contains','contains','scored',1.0,1,1.0,1.0,NULL,'has 30 days',NULL,'{}');
INSERT INTO "case_scores" VALUES(2,0,'tone','judge','scored',0.25,0,1.0,0.7,0.7,'',NULL,'{"said":[1,"\u00e9"]}');
CREATE TABLE checked_case_meta (
  case_run_id   INTEGER NOT NULL PRIMARY KEY,
  type          TEXT NOT NULL DEFAULT 'checked' CONSTRAINT checked_type CHECK (type = 'checked'),
  answer        TEXT,
  problems      TEXT NOT NULL DEFAULT '[]' CONSTRAINT checked_problems CHECK ((problems IS NULL OR (json_valid(problems) AND json_type(problems) = 'array'))),
  passed_checks TEXT NOT NULL DEFAULT '[]' CONSTRAINT checked_passed CHECK ((passed_checks IS NULL OR (json_valid(passed_checks) AND json_type(passed_checks) = 'array'))),
  dataset_id    TEXT,
  steps         INTEGER CONSTRAINT checked_steps CHECK (steps >= 0),
  FOREIGN KEY (case_run_id, type) REFERENCES case_runs (id, type) ON DELETE CASCADE
) STRICT;
INSERT INTO "checked_case_meta" VALUES(1,'checked','Two weeks.','[]','["contains"]',NULL,NULL);
INSERT INTO "checked_case_meta" VALUES(2,'checked','Two weeks.','["tone: not reached"]','[]',NULL,NULL);
CREATE TABLE experiment_cases (
  id                INTEGER PRIMARY KEY,
  experiment_id     INTEGER NOT NULL,
  type              TEXT NOT NULL,
  eval              TEXT NOT NULL CONSTRAINT known_eval CHECK (eval <> ''),
  case_name         TEXT NOT NULL CONSTRAINT known_case CHECK (case_name <> ''),
  definition_sha256 TEXT CONSTRAINT known_definition CHECK (length(definition_sha256) = 64),
  first_seen_at     TEXT NOT NULL CONSTRAINT known_seen CHECK ((first_seen_at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9][0-9][0-9][0-9]+00:00')),
  UNIQUE (experiment_id, eval, case_name),
  FOREIGN KEY (experiment_id, type) REFERENCES experiments (id, type) ON DELETE CASCADE
) STRICT;
INSERT INTO "experiment_cases" VALUES(1,1,'checked','bot','refund',NULL,'2026-03-01T16:00:00.000000+00:00');
INSERT INTO "experiment_cases" VALUES(2,1,'checked','bot','größe “x”',NULL,'2026-03-01T16:00:00.000000+00:00');
CREATE TABLE experiment_runs (
  id             INTEGER PRIMARY KEY,
  uid            TEXT NOT NULL UNIQUE CONSTRAINT run_uid CHECK (length(uid) >= 8),
  type           TEXT NOT NULL CONSTRAINT run_type CHECK (type IN ('checked', 'judged')),
  experiment_id  INTEGER,
  session_id     TEXT NOT NULL CONSTRAINT run_session CHECK (session_id <> ''),
  name           TEXT NOT NULL DEFAULT '',
  parent_run_id  INTEGER REFERENCES experiment_runs (id) ON DELETE SET NULL,
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
  cost_usd       REAL CONSTRAINT run_cost CHECK ((cost_usd >= 0 AND cost_usd < 9e999)),
  unpriced_cases INTEGER NOT NULL DEFAULT 0 CONSTRAINT run_unpriced CHECK (unpriced_cases >= 0),
  error          TEXT,
  exit_status    INTEGER,
  stopped        TEXT NOT NULL DEFAULT '',
  gates          TEXT NOT NULL DEFAULT '[]' CONSTRAINT run_gates CHECK ((gates IS NULL OR (json_valid(gates) AND json_type(gates) = 'array'))),
  params         TEXT NOT NULL DEFAULT '{}' CONSTRAINT run_params CHECK ((params IS NULL OR (json_valid(params) AND json_type(params) = 'object'))),
  pinned         INTEGER NOT NULL DEFAULT 0 CONSTRAINT run_pinned CHECK (pinned IN (0, 1)),
  note           TEXT NOT NULL DEFAULT '',
  host           TEXT NOT NULL DEFAULT '',
  git_commit     TEXT,
  git_branch     TEXT,
  git_dirty      INTEGER CONSTRAINT run_dirty CHECK (git_dirty IN (0, 1)),
  ci_provider    TEXT,
  ci_url         TEXT,
  started_at     TEXT NOT NULL CONSTRAINT run_started CHECK ((started_at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9][0-9][0-9][0-9]+00:00')),
  heartbeat_at   TEXT NOT NULL CONSTRAINT run_heartbeat CHECK ((heartbeat_at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9][0-9][0-9][0-9]+00:00')),
  finished_at    TEXT CONSTRAINT run_ended CHECK ((finished_at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9][0-9][0-9][0-9]+00:00')), latency_p50_ms REAL
  CONSTRAINT run_latency_p50 CHECK ((latency_p50_ms >= 0 AND latency_p50_ms < 9e999)), latency_p95_ms REAL
  CONSTRAINT run_latency_p95 CHECK ((latency_p95_ms >= 0 AND latency_p95_ms < 9e999)),
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
) STRICT;
INSERT INTO "experiment_runs" VALUES(1,'4fd7hrpjwdun','checked',1,'s1','',NULL,'failed',2,2,2,1,0,1,0,0,0,0,0.5,1.0,0.25,1,NULL,1,'','[]','{"command":[],"settings":{},"versions":{}}',0,'','ci',NULL,'main',NULL,NULL,NULL,'2026-03-01T16:00:00.000000+00:00','2026-03-01T16:00:00.000000+00:00','2026-03-01T16:00:00.000000+00:00',12.5,12.5);
CREATE TABLE experiments (
  id          INTEGER PRIMARY KEY,
  type        TEXT NOT NULL CONSTRAINT experiment_type CHECK (type IN ('checked', 'judged')),
  name        TEXT NOT NULL CONSTRAINT experiment_name CHECK (length(trim(name)) > 0),
  description TEXT NOT NULL DEFAULT '',
  config      TEXT NOT NULL DEFAULT '{}' CONSTRAINT experiment_config CHECK ((config IS NULL OR (json_valid(config) AND json_type(config) = 'object'))),
  created_at  TEXT NOT NULL CONSTRAINT experiment_created CHECK ((created_at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9][0-9][0-9][0-9]+00:00')),
  UNIQUE (type, name),
  UNIQUE (id, type)
) STRICT;
INSERT INTO "experiments" VALUES(1,'checked','support','Answers of the bot','{"k":3}','2026-12-01T03:38:31.019266+00:00');
CREATE TABLE human_verdicts (
  id          INTEGER PRIMARY KEY,
  case_run_id INTEGER NOT NULL REFERENCES case_runs (id) ON DELETE CASCADE,
  criterion   TEXT NOT NULL DEFAULT '',
  verdict     TEXT CONSTRAINT human_verdict CHECK (verdict IN ('pass', 'fail')),
  note        TEXT NOT NULL DEFAULT '',
  author      TEXT NOT NULL CONSTRAINT human_author CHECK (author <> ''),
  created_at  TEXT NOT NULL CONSTRAINT human_created CHECK ((created_at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9][0-9][0-9][0-9]+00:00')),
  undone_at   TEXT CONSTRAINT human_undone CHECK ((undone_at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9][0-9][0-9][0-9]+00:00')),
  CONSTRAINT human_says CHECK (verdict IS NOT NULL OR note <> '')
) STRICT;
INSERT INTO "human_verdicts" VALUES(1,2,'','fail','“x” is no size','ann','2026-12-01T03:38:31.036300+00:00',NULL);
CREATE TABLE judged_case_meta (
  case_run_id     INTEGER NOT NULL PRIMARY KEY,
  type            TEXT NOT NULL DEFAULT 'judged' CONSTRAINT judged_case_type CHECK (type = 'judged'),
  question        TEXT NOT NULL,
  expected        TEXT,
  answer          TEXT,
  judge_score     REAL,
  judge_reasoning TEXT,
  FOREIGN KEY (case_run_id, type) REFERENCES case_runs (id, type) ON DELETE CASCADE
) STRICT;
CREATE TABLE judged_run_meta (
  run_id        INTEGER NOT NULL PRIMARY KEY,
  type          TEXT NOT NULL DEFAULT 'judged' CONSTRAINT judged_run_type CHECK (type = 'judged'),
  eval          TEXT NOT NULL,
  subject_model TEXT,
  judge_model   TEXT,
  mean_score    REAL CONSTRAINT judged_mean CHECK (mean_score BETWEEN 0 AND 1),
  counters      TEXT NOT NULL DEFAULT '{}' CONSTRAINT judged_counters CHECK ((counters IS NULL OR (json_valid(counters) AND json_type(counters) = 'object'))),
  FOREIGN KEY (run_id, type) REFERENCES experiment_runs (id, type) ON DELETE CASCADE
) STRICT;
CREATE TABLE schema_info (
  version    INTEGER NOT NULL PRIMARY KEY,
  name       TEXT NOT NULL,
  applied_at TEXT NOT NULL
) STRICT;
INSERT INTO "schema_info" VALUES(1,'m001_initial','2026-12-01T03:38:31.002526+00:00');
INSERT INTO "schema_info" VALUES(2,'m002_trials','2026-12-01T03:38:31.006690+00:00');
INSERT INTO "schema_info" VALUES(3,'m003_variants','2026-12-01T03:38:31.007762+00:00');
INSERT INTO "schema_info" VALUES(4,'m004_human_verdicts','2026-12-01T03:38:31.008203+00:00');
INSERT INTO "schema_info" VALUES(5,'m005_run_latencies','2026-12-01T03:38:31.010349+00:00');
CREATE INDEX experiment_runs_newest ON experiment_runs (started_at, id);
CREATE INDEX experiment_runs_of ON experiment_runs (experiment_id, started_at, id);
CREATE INDEX experiment_runs_parent ON experiment_runs (parent_run_id) WHERE parent_run_id IS NOT NULL;
CREATE VIEW v_case_runs AS
SELECT c.*,
       CASE c.status WHEN 'passed' THEN 'completed' WHEN 'failed' THEN 'completed' WHEN 'judged' THEN 'completed'
                     WHEN 'error' THEN 'errored' ELSE 'cancelled' END AS core_status,
       CASE c.status WHEN 'passed' THEN 'pass' WHEN 'failed' THEN 'fail' END AS verdict
FROM case_runs c;
CREATE INDEX human_verdicts_by_result ON human_verdicts (case_run_id);
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
COMMIT;
