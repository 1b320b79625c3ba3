/** A step that SQLite takes with what it has counted, in place of another one, and why it costs no more. */
interface Change {
  readonly to: RegExp;
  /** The statements; left out: any. */
  readonly of?: RegExp;
  readonly because: string;
}

/**
 * How plans may differ from those before anything was counted, which the statements were written for. What is not here fails: it
 * is looked at, and either the statement leaves SQLite no choice, or the change gets its reason here.
 */
export const harmless: readonly Change[] = [
  {
    to: /^SEARCH repo_members USING INDEX repo_members_user \(user_id=\? AND repo_id=\?\)/,
    because: 'It is one row, by either of the two indexes that have both columns.',
  },
  {
    to: /^SEARCH issues USING COVERING INDEX issues_(by_user_start|of_repo) \((user|repo)_id=\?\)$/,
    because:
      'Foreign keys ask whether there is one issue, of somebody new or of somebody without any: an index is as good as another.',
  },
  {
    to: /^(MULTI-INDEX OR|INDEX \d|SEARCH spending USING INDEX sqlite_autoindex_spending_1 \(month=\? AND kind=\? AND subject=\?\))$/,
    because: 'Three rows by their whole key, instead of all of the month.',
  },
  {
    to: /^SCAN budgets$/,
    because: 'People set them one by one; a list asks for more of them than there are.',
  },
  {
    to: /^SCAN workers$/,
    because: 'There are as many as processes.',
  },
  {
    to: /^SEARCH checkpoints .*\(issue_id=\?\)$|^(SCAN|CO-ROUTINE) (line|\(subquery-\d+\))$/,
    of: /^delete from "checkpoints"/,
    because: 'An issue has three checkpoints at most.',
  },
  {
    to: /^SEARCH request_answers USING INDEX (sqlite_autoindex_request_answers_1 \(user_id=\?\)|request_answers_at \(created_at<\?\))$/,
    because: 'What is a day old, or the few that its users sent in a day.',
  },
  {
    to: /^SCAN line$/,
    of: /"issues"\."(parent_issue_id|change_request_number)" = /,
    because: 'The queue, for one issue or a few: an index that is made for them reads it as well.',
  },
  {
    to: /^SEARCH codehost_polls USING INDEX codehost_polls_due \(due_at<\?\)$/,
    because: 'Those that are due, of which it takes the first ones.',
  },
];

/** Which do not read: how a step above keeps what it found. */
const isAside = (step: string) =>
  /^(LIST SUBQUERY|REUSE LIST SUBQUERY|CREATE BLOOM FILTER|BLOOM FILTER ON)\b/.test(step);

/** The steps of a plan that are not in the one before. */
export function newSteps(plan: readonly string[], before: readonly string[]): string[] {
  const left = [...before];
  return plan.filter((step) => {
    const at = left.indexOf(step);
    if (at >= 0) left.splice(at, 1);
    return at < 0 && !isAside(step);
  });
}
