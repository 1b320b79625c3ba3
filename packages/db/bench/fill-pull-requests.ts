/** What differs between the engines in the text of the rows. */
interface Words {
  /** The numbers from 1 as a table `numbers (n)`. */
  readonly numbers: (count: number) => string;
  /** An instant, of an expression for milliseconds since 1970. */
  readonly at: (ms: string) => string;
  /** JSON, of an expression for its text. */
  readonly json: (text: string) => string;
  readonly yes: string;
  readonly no: string;
}

export const sqliteWords: Words = {
  numbers: (count) =>
    `create temp table numbers as with recursive r(n) as (select 1 union all select n + 1 from r where n < ${count}) select n from r`,
  at: (ms) => ms,
  json: (text) => text,
  yes: '1',
  no: '0',
};
export const pgWords: Words = {
  numbers: (count) => `create temp table numbers as select generate_series(1, ${count}) as n`,
  at: (ms) => `to_timestamp((${ms}) / 1000.0)`,
  json: (text) => `cast(${text} as jsonb)`,
  yes: 'true',
  no: 'false',
};

/** The user who registered all repositories. */
export const BUSIEST_READER = '0193a5b0-7c3e-7aaa-8000-000000000000';

const REPOS = 200;
const YEAR_MS = 365 * 86_400_000;
const DAY_MS = 86_400_000;

/**
 * The SQL that fills an empty database with so many pull requests of a year, each with the issue that opened it and every tenth
 * with a follow-up, in 200 repositories, of which one has three of ten.
 */
export function fillPullRequests(count: number, now: number, { numbers, at, json, yes, no }: Words): string {
  const idOf = (kind: string, n: string) => `('0193a5b0-7c3e-7${kind}-8000-' || (100000000000 + ${n}))`;
  const repo = idOf('bbb', `(case when n % 10 < 3 then 0 else n % ${REPOS} end)`);
  const opened = `${now - YEAR_MS} + cast(n as bigint) * ${Math.floor(YEAR_MS / count)}`;
  const issue = `title, body, origin, labels, base_branch, status, pipeline, input_tokens, output_tokens, cost_usd, lease_epoch,
    created_at, updated_at, finished_at, last_seq`;
  const ended = `'An issue', 'A text.', 'api', '[]', 'main', 'completed', '{}', 1, 1, (n % 400) / 100.0, 1,
    ${at(opened)}, ${at(opened)}, ${at(opened)}, 1`;
  return `${numbers(count)};
    insert into users (id, email, email_key, name, created_at) values ('${BUSIEST_READER}', 'u', 'u', 'Ada', ${at('1')});
    insert into repos (id, user_id, name, url, canonical_remote, default_branch, provider, settings, created_at, updated_at)
      select ${idOf('bbb', '(n - 1)')}, '${BUSIEST_READER}', 'r' || n, 'r-' || n, 'r-' || n, 'main', 'local', '{}', ${at('1')}, ${at('1')}
      from numbers where n <= ${REPOS};
    insert into issues (id, user_id, repo_id, change_request_number, change_request_state, ${issue})
      select ${idOf('ccc', 'n')}, '${BUSIEST_READER}', ${repo}, n, 'merged', ${ended} from numbers order by n;
    insert into issues (id, user_id, repo_id, parent_issue_id, ${issue})
      select ${idOf('ddd', 'n')}, '${BUSIEST_READER}', ${repo}, ${idOf('ccc', 'n')}, ${ended} from numbers where n % 10 = 0 order by n;
    insert into change_requests (repo_id, number, issue_id, opened_at, state, merged_at, closed_at, people_commits, review_rounds,
        build_rounds, first_build, models, prompt_revision, at_first_sight, updated_at)
      select ${repo}, n, ${idOf('ccc', 'n')}, ${at(opened)},
        case n % 3 when 0 then 'open' when 1 then 'merged' else 'closed' end,
        case when n % 3 = 1 then ${at(`${opened} + (cast(n as bigint) * 7919) % ${DAY_MS}`)} end,
        case when n % 3 = 2 then ${at(`${opened} + ${DAY_MS}`)} end,
        n % 2, n % 3, 0, case when n % 4 = 0 then 'failure' else 'success' end,
        ${json(`'["model ' || (n % 3) || '"]'`)}, 'p' || (n % 5),
        case when n % 4 = 0 then ${no} else ${yes} end, ${at(opened)}
      from numbers`;
}
