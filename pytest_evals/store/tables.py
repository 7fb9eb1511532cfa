"""The tables as they are now, with a comment on every table and column. ``migrations`` makes them.

``docs/schema.md`` lists them; a test holds the page, the migrated database and this file together.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Column, Double, Integer, MetaData, Table, Text

from .types import Instant, Json

metadata = MetaData()


def _c(name: str, kind: Any, comment: str, *, key: bool = False) -> Column[Any]:
    """A column that may be NULL. Constraints and defaults are the migrations' business: queries need none of them."""
    return Column(name, kind, primary_key=key, comment=comment)


def _n(name: str, kind: Any, comment: str) -> Column[Any]:
    """A column that is never NULL."""
    return Column(name, kind, nullable=False, comment=comment)


schema_info = Table(
    "schema_info",
    metadata,
    _c("version", Integer, "Number of a migration that was applied.", key=True),
    _n("name", Text, "Its name, such as m001_initial."),
    _n("applied_at", Instant, "When."),
    comment="Which migrations this database has had; they only go forward.",
)

experiments = Table(
    "experiments",
    metadata,
    _c("id", BigInteger, "Number within this database.", key=True),
    _n("type", Text, "checked (cases have verdicts; knowledge) or judged (scores only; training)."),
    _n("name", Text, "Unique per type; 'default' when the suite names none."),
    _n("description", Text, "As last stated by a suite, an option or the library."),
    _n("config", Json, "JSON object, as last stated."),
    _n("created_at", Instant, "When its first run was recorded."),
    comment="Named series of runs. Deleting one deletes its runs and everything below them.",
)

experiment_cases = Table(
    "experiment_cases",
    metadata,
    _c("id", BigInteger, "Number within this database.", key=True),
    _n("experiment_id", BigInteger, "The experiment."),
    _n("type", Text, "Its type; kept equal by a composite foreign key, as in every table below."),
    _n("eval", Text, "The suite's name."),
    _n("case_name", Text, "The case's id, as written in the suite."),
    _c(
        "definition_sha256",
        Text,
        "Hash of what the case asked when it was first recorded; differs from later case_runs when it changed since.",
    ),
    _n("first_seen_at", Instant, "When it was first recorded in this experiment."),
    comment="Every case an experiment has ever recorded.",
)

experiment_runs = Table(
    "experiment_runs",
    metadata,
    _c("id", BigInteger, "Number within this database, in the order of recording.", key=True),
    _n("uid", Text, "The id shown to people, unique across databases; any unique beginning of it names the run."),
    _n("type", Text, "checked or judged."),
    _c("experiment_id", BigInteger, "The experiment; a checked run always has one."),
    _n("session_id", Text, "The session; its runs of other experiments and types have the same."),
    _n("name", Text, "A free name, '' if none; several runs may share one, which then means the newest."),
    _c("parent_run_id", BigInteger, "The run whose stored answers this one scored again."),
    _n("status", Text, "checked: running, passed, failed, cancelled. judged: running, completed, error, cancelled."),
    _c("defined_cases", Integer, "Cases (times variants) in the suites of the experiment."),
    _c("selected_cases", Integer, "Those that were left after -k, -m, --lf and the like."),
    _n(
        "total_cases",
        Integer,
        "Cases that were to run, skipped ones left out; above the sum of the counts by those never reached.",
    ),
    _n("passed_cases", Integer, "Cases with status passed, warned ones included."),
    _n("warned_cases", Integer, "Those of them with outcome warned."),
    _n("failed_cases", Integer, "Cases with status failed, missed ones included."),
    _n(
        "missed_cases",
        Integer,
        "Those of them that did not fail the run: a pass-rate gate decides over them, or xfail expected it.",
    ),
    _n("error_cases", Integer, "Cases with status error."),
    _n("judged_cases", Integer, "Cases with status judged."),
    _n("skipped_cases", Integer, "Cases skipped on purpose; they are outside total_cases."),
    _c(
        "pass_rate",
        Double,
        "passed / (passed + warned + failed + errored) by outcome, xfail left out; NULL when there are none.",
    ),
    _c("score", Double, "Mean of the cases' scores; NULL when none has one."),
    _c("cost_usd", Double, "Sum over the cases whose cost is known; NULL when none is."),
    _n("unpriced_cases", Integer, "Cases that ran and whose cost is unknown; above 0 cost_usd is only a part."),
    _c("error", Text, "Why the run as a whole could not go on."),
    _c(
        "exit_status",
        Integer,
        "Exit status of the session; NULL for a run that was cut off, or recorded by the library.",
    ),
    _n("stopped", Text, "Why the session ended before its end; '' when it did not."),
    _n(
        "gates",
        Json,
        "JSON array: every gate with its verdict (held, broken, undecided, not asked), observation and margin.",
    ),
    _n("params", Json, "JSON object: command line, settings, versions; secrets are redacted."),
    _n("pinned", Integer, "1: kept by prune, refused by delete."),
    _n("note", Text, "A person's remark."),
    _n("host", Text, "The machine's name."),
    _c("git_commit", Text, "Commit of the repository; NULL when unknown."),
    _c("git_branch", Text, "Its branch, in CI the one being built."),
    _c("git_dirty", Integer, "1: tracked files had changes that were not committed."),
    _c("ci_provider", Text, "github, gitlab, circleci, jenkins, buildkite, azure, or ci for another; NULL outside CI."),
    _c("ci_url", Text, "Page of the CI job."),
    _n("started_at", Instant, "When the session began. Newest first means by this, then by id."),
    _n("heartbeat_at", Instant, "The last sign of life."),
    _c("finished_at", Instant, "When it ended; NULL while it runs."),
    _c("latency_p50_ms", Double, "Median of the targets' own time over all trials that answered; NULL when unknown."),
    _c("latency_p95_ms", Double, "The 95th percentile of the same."),
    comment="Runs: one per experiment and type in a session.",
)

case_runs = Table(
    "case_runs",
    metadata,
    _c("id", BigInteger, "Number within this database.", key=True),
    _n("run_id", BigInteger, "The run."),
    _n("type", Text, "Its type."),
    _n("seq", Integer, "Position within the run: the order of the files."),
    _n("eval", Text, "The suite's name."),
    _n("case_name", Text, "The case's id, as written in the suite."),
    _n("variant", Text, "The item's whole bracket without its ends; '' if there is none."),
    _n("repeat_index", Integer, "0; counts up when the library records a case more than once in a run."),
    _n("outcome", Text, "passed, warned, failed, errored, scored or skipped: the truth, from which status is derived."),
    _c("status", Text, "checked: passed (also warned), failed, error. judged: judged, error. NULL: skipped."),
    _c(
        "score",
        Double,
        "Weighted mean of the criteria's scores, of several trials their mean; NULL when one could not be scored.",
    ),
    _c("error", Text, "Why there is no answer or no score, on one line; set exactly when errored."),
    _c("error_kind", Text, "target, scorer, timeout, provider, judge, crash or fixture; set exactly when errored."),
    _c("error_type", Text, "Class of the exception."),
    _c("error_detail", Text, "The traceback within the application or scorer."),
    _n("headline", Text, "Why it did not pass, in one short line; '' when it passed."),
    _c("skip_reason", Text, "Why it was skipped."),
    _c("xfail", Text, "Why it was expected to fail; NULL when it was not."),
    _n("gated", Integer, "1: a pass-rate gate of its suite decides over it, so that a miss is tolerated."),
    _c("category", Text, "The case's category."),
    _n("tags", Json, "JSON array of its tags."),
    _c("cost_usd", Double, "Cost of all trials; NULL as soon as one is unknown."),
    _c("judge_cost_usd", Double, "Cost of judging it."),
    _c("input_tokens", Integer, "Input tokens of all trials, cached ones included; NULL as soon as one is unknown."),
    _c("output_tokens", Integer, "Output tokens of all trials."),
    _c("cached_tokens", Integer, "Input tokens read from a cache."),
    _c("latency_ms", Double, "The target's own time; of several trials the mean, over those that answered."),
    _n("latencies_ms", Json, "JSON array: that of every trial that answered."),
    _n(
        "attempts",
        Integer,
        "Calls of the target over all trials, repeats after an error included; 0 when it was not called.",
    ),
    _c("definition_sha256", Text, "Hash of what is asked and how it is judged."),
    _c("threshold", Double, "The weighted mean to reach; NULL: every criterion its own mark."),
    _n("no_verdict", Integer, "1: a score without a verdict was asked for (threshold: unset)."),
    _c("warn", Double, "Below threshold: a score from here on is a near miss."),
    _n("title", Text, "The case's name for people."),
    _n("node_id", Text, "Its pytest node id."),
    _n("source", Text, "path:line of the case."),
    _n("target", Text, "The application under test, as the suite names it."),
    _c("started_at", Instant, "When its first call began; NULL when unknown."),
    _c("finished_at", Instant, "When its outcome was known."),
    _n("metadata", Json(verbatim=True), "JSON object: the case's metadata."),
    _c("input", Json(verbatim=True), "What was asked, any JSON value."),
    _c("context", Json(verbatim=True), "What was given along with it."),
    _c("expected_output", Json(verbatim=True), 'The expectation; NULL is none, "" the empty text.'),
    _n("reference_outputs", Json(verbatim=True), "JSON array: further good answers."),
    _n(
        "trials",
        Json(verbatim=True),
        "JSON array: every trial. Of a single one the criteria are in case_scores; its output, if text, is the answer.",
    ),
    _n("planned_trials", Integer, "How many trials are asked when the decision is open to the last."),
    _n("pass_if", Text, "What decides over several trials: all, any, majority, mean, 3 of 5; '' for a single one."),
    _c(
        "trial_outcomes",
        Json(verbatim=True),
        "JSON object: how many of several trials had which outcome; NULL for a single one.",
    ),
    _c("flaky", Integer, "1: its trials disagree; NULL for a single one."),
    _n("variant_id", Text, "The variant of the suite, which is part of the bracket; '' for a suite without variants."),
    comment="Results: what became of a case (and variant) in a run.",
)

case_scores = Table(
    "case_scores",
    metadata,
    _c("case_run_id", BigInteger, "The result.", key=True),
    _c("seq", Integer, "Position among the criteria.", key=True),
    _n("name", Text, "The criterion's name, unique within the case."),
    _n("scorer", Text, "The scorer that answered it."),
    _n("state", Text, "scored, skipped (not asked) or error."),
    _c("score", Double, "0 to 1; set exactly when scored."),
    _c("passed", Integer, "1 or 0: whether it reached its mark; NULL without a verdict."),
    _n("weight", Double, "Its weight in the case's score."),
    _c("mark", Double, "The score it had to reach."),
    _c("threshold", Double, "The mark as stated in the suite; NULL when the scorer's usual one holds."),
    _n("reason", Text, "The scorer's sentence."),
    _c("error", Json(verbatim=True), "JSON object: kind, message, type, detail; set exactly when state is error."),
    _n("detail", Json(verbatim=True), "JSON object: measurements behind the score."),
    comment="One criterion's answer of a result: of several trials the mean score, with the words of the shown one.",
)

case_run_trajectories = Table(
    "case_run_trajectories",
    metadata,
    _c("id", BigInteger, "Number within this database.", key=True),
    _n("case_run_id", BigInteger, "The result."),
    _n("seq", Integer, "Position among the result's trajectories."),
    _n("kind", Text, "Free text: what the agent was doing, such as remember or query."),
    _n("trajectory_id", Text, "Unique in the database and safe as a file's name."),
    _n("agent_name", Text, "The agent."),
    _n("steps", Integer, "Number of its steps."),
    _c("cost_usd", Double, "Its cost; NULL when unknown."),
    _n("path", Text, "The file: <trajectory_id>.json, in atif/ beside the history unless put elsewhere."),
    _c("sha256", Text, "Hash of the file."),
    _n("artifact_ids", Json, "JSON array: ids of what its steps stored or used."),
    comment="Recorded steps of agents. Only the reference is stored; the file stays a file.",
)

human_verdicts = Table(
    "human_verdicts",
    metadata,
    _c("id", BigInteger, "Number within this database, in the order of writing.", key=True),
    _n("case_run_id", BigInteger, "The result."),
    _n("criterion", Text, "The criterion it is about; '' for the result as a whole."),
    _c("verdict", Text, "pass or fail; NULL for a note alone."),
    _n("note", Text, "What the person wrote."),
    _n("author", Text, "Who."),
    _n("created_at", Instant, "When."),
    _c("undone_at", Instant, "When it was taken back; NULL while it holds."),
    comment="What people say of results. Of several that hold about the same criterion, the newest counts.",
)

checked_case_meta = Table(
    "checked_case_meta",
    metadata,
    _c("case_run_id", BigInteger, "The result.", key=True),
    _n("type", Text, "checked."),
    _c("answer", Text, "The answer as text; NULL when there is none."),
    _n("problems", Json(verbatim=True), "JSON array of texts: the checks that did not hold."),
    _n("passed_checks", Json(verbatim=True), "JSON array of texts: those that held."),
    _c("dataset_id", Text, "The data set the case ran on, <case>_run<run>; read live, absent when purged."),
    _c("steps", Integer, "Steps of its agents; NULL when unknown."),
    comment="What only results of checked runs have: one row for each that was executed.",
)

judged_run_meta = Table(
    "judged_run_meta",
    metadata,
    _c("run_id", BigInteger, "The run.", key=True),
    _n("type", Text, "judged."),
    _n("eval", Text, "Names of its suites, separated by commas."),
    _c("subject_model", Text, "The model or target that answered."),
    _c("judge_model", Text, "The model that scored."),
    _c("mean_score", Double, "Mean of the scores; NULL when there is none."),
    _n("counters", Json, "JSON object of further counts."),
    comment="What only judged runs have.",
)

judged_case_meta = Table(
    "judged_case_meta",
    metadata,
    _c("case_run_id", BigInteger, "The result.", key=True),
    _n("type", Text, "judged."),
    _n("question", Text, "The input as text."),
    _c("expected", Text, "The expectation as text."),
    _c("answer", Text, "The answer as text; NULL when there is none."),
    _c("judge_score", Double, "The score as the judge gave it, in the judge's own scale."),
    _c("judge_reasoning", Text, "The judge's reasons."),
    comment="What only results of judged runs have: one row for each that was executed.",
)

views = MetaData()
"""The views; apart, since they are read and never written."""


def _view(name: str, table: Table, comment: str, *more: Column[Any]) -> Table:
    return Table(
        name, views, *(Column(c.name, c.type, comment=c.comment) for c in table.columns), *more, comment=comment
    )


v_runs = _view(
    "v_runs",
    experiment_runs,
    "The columns of experiment_runs, and the words of the viewer.",
    _n("core_status", Text, "running, completed, errored or cancelled."),
    _c("verdict", Text, "pass or fail; NULL when there is none."),
    _n("n_completed", Integer, "Cases with status passed, failed or judged."),
    _n("n_errored", Integer, "Cases with status error."),
    _n("n_pending", Integer, "Cases not reached, while the run is running."),
    _n("n_cancelled", Integer, "Cases not reached, when it has ended."),
)

v_case_runs = _view(
    "v_case_runs",
    case_runs,
    "The columns of case_runs, and the words of the viewer.",
    _n("core_status", Text, "completed, errored or (skipped) cancelled."),
    _c("verdict", Text, "pass or fail; NULL when there is none."),
)
