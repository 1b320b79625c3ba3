import type { IssueId, RepoId, UserId } from '@sluice/core';

/** What differs between the engines in the text of the rows. */
interface Words {
  /** The numbers from 1 as a table `numbers (n)`. */
  readonly numbers: (count: number) => string;
  /** An instant, of milliseconds since 1970. */
  readonly at: (ms: number) => string;
}

export const sqliteWords: Words = {
  numbers: (count) =>
    `create temp table numbers as with recursive r(n) as (select 1 union all select n + 1 from r where n < ${count}) select n from r`,
  at: (ms) => String(ms),
};
export const pgWords: Words = {
  numbers: (count) => `create temp table numbers as select generate_series(1, ${count}) as n`,
  at: (ms) => `to_timestamp(${ms / 1_000})`,
};

const FIRST = 100_000_000_000; // of twelve digits
const ids = { user: 'aaa', repo: 'bbb', issue: 'ccc', session: 'ddd' };

/** The SQL of an id; `n` is a number, or what makes one. */
function idOf(kind: keyof typeof ids, n: string): string {
  return `('0193a5b0-7c3e-7${ids[kind]}-8000-' || (${FIRST} + ${n}))`;
}

/** The user with half of the issues and events, their repository, and an ended issue in the middle. */
export function largestOf(issues: number): { userId: UserId; repoId: RepoId; endedId: IssueId } {
  const id = (kind: keyof typeof ids, n: number) => `0193a5b0-7c3e-7${ids[kind]}-8000-${FIRST + n}`;
  return {
    userId: id('user', 0) as UserId,
    repoId: id('repo', 0) as RepoId,
    endedId: id('issue', issues / 2) as IssueId,
  };
}

const EVENTS_PER_ISSUE = 10;
const ISSUES_PER_USER = 100;
const DAY_MS = 86_400_000;
const TEXT = 'A text of a usual length, as people and agents write them. '.repeat(8);

/**
 * The SQL that fills an empty database with ended issues: ten events, a plan, a step and an audit entry each, and as many
 * sessions, stored responses and deliveries. There is a user for each hundred; the first one has half of the issues.
 *
 * @param now milliseconds: one session and response in ten expired two days before
 */
export function fillInstallation(issues: number, now: number, { numbers, at }: Words): string {
  const users = issues / ISSUES_PER_USER;
  const ownerOf = (n: string) => `(case when ${n} % 2 = 0 then 0 else 1 + (${n} / 2) % ${users - 1} end)`;
  const owner = ownerOf('n');
  const evenly = `(n % ${users})`; // what ends after a day or a week is few of everybody
  const some = at(now - 10 * DAY_MS);
  const expiry = `case when n % 10 = 0 then ${at(now - 2 * DAY_MS)} else ${at(now + 5 * DAY_MS)} end`;
  const created = `case when n % 10 = 0 then ${at(now - 2 * DAY_MS)} else ${at(now)} end`;
  return `${numbers(issues)};
    create temp table parts as select n from numbers where n <= ${EVENTS_PER_ISSUE};
    insert into users (id, email, email_key, name, created_at)
      select ${idOf('user', '(n - 1)')}, 'u-' || n, 'u-' || n, 'Ada', ${some} from numbers where n <= ${users};
    insert into repos (id, user_id, name, url, canonical_remote, default_branch, provider, codehost_repo_id, settings, created_at, updated_at)
      select ${idOf('repo', '(n - 1)')}, ${idOf('user', '(n - 1)')}, 'r', 'r-' || n, 'r-' || n, 'main', 'codehost', n, '{}', ${some}, ${some}
      from numbers where n <= ${users};
    insert into issues (id, user_id, repo_id, title, body, origin, labels, base_branch, status, pipeline, plan_revision,
        input_tokens, output_tokens, lease_epoch, created_at, updated_at, finished_at, last_seq)
      select ${idOf('issue', 'n')}, ${idOf('user', owner)}, ${idOf('repo', owner)}, 'Issue ' || n, '${TEXT}', 'api', '["bug"]', 'main',
        case when n % 10 = 0 then 'failed' else 'completed' end, '{"feedback":"${TEXT}${TEXT}"}', 1, 1, 1, 1,
        ${some}, ${some}, ${some}, ${EVENTS_PER_ISSUE}
      from numbers order by n;
    insert into plans (issue_id, revision, document)
      select ${idOf('issue', 'n')}, 1, '{"revision":1,"text":"${TEXT}"}' from numbers;
    insert into steps (issue_id, stage, round, attempt, agent, started_at, finished_at, outcome)
      select ${idOf('issue', 'n')}, 'plan', 1, 1, 'planner', ${some}, ${some}, 'completed' from numbers;
    insert into events (issue_id, seq, type, data, at, user_id)
      select ${idOf('issue', 'a.n')}, b.n, case when b.n = ${EVENTS_PER_ISSUE} then 'issue.status' else 'agent.message' end,
        '{"agent":"coder","text":"${TEXT.slice(0, 240)}"}', ${some}, ${idOf('user', ownerOf('a.n'))}
      from numbers a cross join parts b order by a.n, b.n;
    insert into audit_entries (user_id, actor, action, subject_id, detail, at)
      select ${idOf('user', owner)}, 'user', 'issue.created', ${idOf('issue', 'n')}, '{}', ${some} from numbers order by n;
    insert into sessions (id, user_id, created_at, expires_at) select ${idOf('session', 'n')}, ${idOf('user', evenly)}, ${some}, ${expiry} from numbers;
    insert into request_answers (user_id, route, key, hash, answer, created_at)
      select ${idOf('user', evenly)}, 'POST /issues', 'k-' || n, 'h', '{"body":{},"location":"/"}', ${created} from numbers;
    insert into codehost_deliveries (id, at) select 'd-' || n, ${some} from numbers;
    insert into codehost_polls (codehost_repo_id, due_at) select n, ${at(now + DAY_MS)} from numbers where n <= ${users};`;
}
