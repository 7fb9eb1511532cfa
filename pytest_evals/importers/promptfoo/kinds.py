"""What becomes of each type of assertion."""

from __future__ import annotations

EQUIVALENTS = {
    "equals": "`exact_match` with `case_sensitive`; `json_equals` for a mapping or list",
    "contains": "`contains` with `case_sensitive`",
    "icontains": "`contains`",
    "contains-any": "`contains_any` with `case_sensitive`",
    "icontains-any": "`contains_any`",
    "contains-all": "`contains_all` with `case_sensitive`",
    "icontains-all": "`contains_all`",
    "starts-with": "`starts_with` with `case_sensitive`",
    "ends-with": "`ends_with` with `case_sensitive`",
    "regex": "`regex`",
    "is-json": "`json_valid`, with a schema `json_schema`",
    "contains-json": "the same with `extract`",
    "is-xml": "`xml_valid`, unless it has `requiredElements`",
    "is-sql": "`sql_valid` with the `dialect`, unless it lists tables or columns",
    "contains-sql": "the same with `extract`",
    "word-count": "`length` in words",
    "latency": "`latency`",
    "cost": "`cost`, if it has a threshold",
    "levenshtein": "`levenshtein`; the number of edits as a share of the text expected",
    "rouge-n": "`rouge` with `variant: rouge1`; F1 instead of recall",
    "bleu": "`bleu` with `max_ngram_order: 4`; several texts with `any_of`",
    "similar": "`embedding_similarity`; several texts with `any_of`",
    "python": "`python:` a function in a file beside the suite, which asks the code or the file in promptfoo's way",
    "tool-call-f1": "`tool_calls` with `args: ignore`, if all calls must match (threshold 1)",
    "trajectory:tool-used": "`tool_calls` with `args: ignore` and `extra`, for names",
    "trajectory:tool-args-match": "`tool_calls` with `args: subset` (or `exact`) and `extra`, for a name",
    "trajectory:tool-sequence": "`tool_calls` with `order: in_order` (or `exact`), for names",
    "assert-set": "its parts; with a threshold for one of them `any_of`, for all of them `all_of`, else listed",
}
"""Types with an equivalent, and which."""

JUDGED = (
    *("llm-rubric", "g-eval", "factuality", "model-graded-closedqa", "model-graded-factuality", "answer-relevance"),
    *("context-faithfulness", "context-recall", "context-relevance", "conversation-relevance", "select-best"),
    *("max-score", "search-rubric", "agent-rubric", "trajectory:goal-success", "pi"),
)
"""Types that a model judges."""

_SCRIPT = "its code is not run here; write a criterion `python: module:function`"
_TRACE = "spans are not recorded; ask for tool calls with tool_calls"
_TOOLS = "tools are not checked against a schema; ask for calls with tool_calls"
_HTML = "no scorer reads HTML; xml_valid, or a criterion `python: module:function`, may do"

WITHOUT = {
    "javascript": _SCRIPT,
    "ruby": _SCRIPT,
    "webhook": "no scorer asks a server; write a criterion `python: module:function`",
    "contains-xml": "no scorer looks for XML inside other text; xml_valid with extract reads a code block",
    "contains-html": _HTML,
    "is-html": _HTML,
    "is-refusal": "what a refusal is, is a list of phrases; say which with contains_any or regex",
    "is-valid-function-call": _TOOLS,
    "is-valid-openai-function-call": _TOOLS,
    "is-valid-openai-tools-call": _TOOLS,
    "finish-reason": "why an answer ended is no criterion",
    "gleu": "no scorer computes GLEU; bleu and chrf are near",
    "meteor": "no scorer computes METEOR; chrf and rouge with stemming are near",
    "perplexity": "log probabilities are not recorded",
    "perplexity-score": "log probabilities are not recorded",
    "classifier": "no scorer asks a classifier",
    "moderation": "no scorer asks a service for moderation",
    "guardrails": "what a guardrail said is not recorded",
    "skill-used": "skills are not recorded",
    "trajectory:step-count": _TRACE,
    "trace-span-count": _TRACE,
    "trace-span-duration": _TRACE,
    "trace-error-spans": _TRACE,
    "human": "nobody is asked",
}
"""Types without an equivalent, and why."""

NO_KEYS = {
    "provider": "another model for this assertion alone cannot be named",
    "rubricPrompt": "it words the question to a judge",
    "config": "it is for code (`python` takes it)",
    "contextTransform": "context is not computed from the answer",
}
"""Keys of an assertion that are not taken over, and why."""
