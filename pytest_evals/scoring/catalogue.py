"""The built-in scorers: what each is called, what it says, and the file that holds it.

Read at every start of pytest (each scorer is a fixture), so it imports nothing.
"""

from __future__ import annotations

SUMMARIES: dict[str, str] = {
    "exact_match": "Whether the answer equals the expected text; case and white space at the ends do not count.",
    "equals_any": "Whether the answer equals the expected text or one of the references, as `exact_match` compares.",
    "contains": "Whether the expected text occurs in the answer; case does not count.",
    "contains_any": "Whether at least one of several texts occurs in the answer; case does not count.",
    "contains_all": "Whether each of several texts occurs in the answer; case does not count.",
    "starts_with": "Whether the answer starts with the expected text; case and white space before it do not count.",
    "ends_with": "Whether the answer ends with the expected text; case and white space after it do not count.",
    "regex": "Whether a regular expression matches somewhere in the answer, within a time limit.",
    "numeric": "Whether the final number of the answer equals the expected number, within a tolerance.",
    "choice": "Whether the letter chosen in a multiple-choice answer, as in `Answer: (B)`, is the expected one.",
    "length": "Whether the answer has at least and at most so many characters, words or lines.",
    "levenshtein": "Similarity by characters: 1 − edit distance / length of the longer text; case does not count.",
    "word_overlap": "Share of the distinct words that answer and expectation have in common; order does not count.",
    "semantic_similarity": "Closeness of answer and expectation by a chosen method; `words` is `word_overlap`.",
    "embedding_similarity": "Cosine of the embeddings of answer and expectation: nearness of topic more than of truth.",
    "token_f1": "F1 of the words shared with the expectation, repeats counted, as in question answering benchmarks.",
    "tfidf_similarity": "Cosine of the TF-IDF weighted words of answer and expectation; word order does not count.",
    "bleu": "BLEU of the answer against the expectation: single words, or n-grams up to `max_ngram_order`.",
    "rouge": "ROUGE F1 of the answer against the expectation: ROUGE-L unless `variant` says otherwise.",
    "chrf": "chrF of the answer against the expectation: F-score of shared character n-grams, case counts.",
    "json_valid": "Whether the answer is JSON, strictly: no NaN, no key twice in an object, no text around it.",
    "json_equals": "Whether the answer is the expected JSON value; the order of keys does not count.",
    "json_path": "Share of chosen fields of a JSON answer that hold what is expected; all of them must.",
    "json_schema": "Whether the answer is JSON that fits a JSON schema, its formats included.",
    "xml_valid": "Whether the answer is a well-formed XML document, without a DTD.",
    "yaml_valid": "Whether the answer is YAML that holds a mapping or a list, no key twice, no unknown tags.",
    "python_valid": "Whether the answer is Python that compiles; it is not run.",
    "sql_valid": "Whether the answer is SQL by the grammar of a dialect; tables and columns are not looked up.",
    "tool_calls": "Share of the expected tool calls that were made, extra ones counted against it; all must match.",
    "tool_called": "Whether an agent called a tool, with certain arguments if wanted, so many times.",
    "tool_not_called": "Whether an agent left a tool alone, or several.",
    "tool_order": "Whether an agent called certain tools in an order; others may stand between.",
    "tool_arguments": "Whether the arguments of a tool's calls are as expected, exactly, in part, or by scorers.",
    "trajectory_match": "How near the calls of an agent are to the expected ones: exactly, in order, or in any order.",
    "max_steps": "Whether an agent took at most so many steps.",
    "max_tool_calls": "Whether an agent made at most so many calls of tools, or of one tool.",
    "no_repeated_calls": "Whether an agent never made the very same call again: the sign of a loop.",
    "no_tool_errors": "Whether no tool failed that an agent called.",
    "step_cost": "Whether every step of an agent cost at most so much; an unknown cost is an error.",
    "latency": "Whether the call to the target took at most so long; an unknown time is an error.",
    "cost": "Whether the answer cost at most so much, in US dollars; an unknown cost is an error.",
    "tokens": "Whether the answer took at most so many tokens; an unknown number is an error.",
    "llm_judge": "A model's score of the answer by criteria in words: its own reading, which is no measurement.",
    "better_than": "Whether a judge prefers the answer to another run's or variant's, shown both in both orders.",
    "word_error_rate": "1 − word error rate of a transcript against the expected one, both normalised; at least 0.",
}
"""One sentence a scorer, in the order the documentation shows them."""

FAMILIES: dict[str, tuple[str, ...]] = {
    "text": ("exact_match", "contains", "starts_with", "ends_with", "levenshtein"),
    "alternatives": ("equals_any", "contains_any", "contains_all"),
    "pattern": ("regex",),
    "numeric": ("numeric",),
    "choice": ("choice",),
    "length": ("length",),
    "overlap": ("word_overlap", "token_f1"),
    "embedding": ("semantic_similarity", "embedding_similarity"),
    "tfidf": ("tfidf_similarity",),
    "bleu": ("bleu",),
    "rouge": ("rouge",),
    "chrf": ("chrf",),
    "structure": ("json_valid", "json_equals"),
    "fields": ("json_path",),
    "schema": ("json_schema",),
    "syntax": ("xml_valid", "python_valid"),
    "yaml": ("yaml_valid",),
    "sql": ("sql_valid",),
    "tools": ("tool_calls",),
    "toolsteps": ("tool_called", "tool_not_called", "tool_order", "tool_arguments"),
    "trajectorymatch": ("trajectory_match",),
    "steplimits": ("max_steps", "max_tool_calls", "no_repeated_calls", "no_tool_errors", "step_cost"),
    "call": ("latency", "cost", "tokens"),
    "judge": ("llm_judge", "better_than"),
    "transcript": ("word_error_rate",),
}
"""The module of this package that defines each scorer, in its ``SCORERS``."""

WITH_EMBEDDER = FAMILIES["embedding"]
"""The scorers that ask an embedder."""

WITH_JUDGE = FAMILIES["judge"]
"""The scorers that ask a judge."""
