import { BELOW_QUEUE } from '../../src/issue/queue-place.ts';
import type { Size } from './size.ts';
import { DAY_MS, idOf, rows, TEXT, timesAround, type Words } from './words.ts';

/** Repositories, their issues, and what the issues' runs leave. */
type Filled = Readonly<
  Record<
    | 'repos'
    | 'repoMembers'
    | 'slots'
    | 'issues'
    | 'plans'
    | 'estimates'
    | 'events'
    | 'attachments'
    | 'steps'
    | 'journalEntries'
    | 'patches'
    | 'checkpoints'
    | 'commandLog'
    | 'changeRequests',
    string
  >
>;

/** The first user belongs to so many, and to all of which they were not the one who registered them, as an admin. */
const REPOS_OF_FIRST = 200;
const MEMBERS = 10; // of each of these, beside the first user
export const EVENTS_PER_ISSUE = 10;
const SLOTS = 20;

// What has not ended: few, however many issues there are. Those that wait for a slot are of a user who runs as many as they
// may, so that none of them starts when a slot is freed.
const RUNNING = 3;
const AT_GATE = 6;
const QUEUED = 5;
const HELD = 3;
const IN_LINE = 5;
export const OPEN = RUNNING + AT_GATE + QUEUED + HELD + IN_LINE;
const BUSY_USER = 5;

const COMMIT = `'${'a'.repeat(40)}'`;
const PLAN = `{"revision":1,"summary":"${TEXT}","steps":[{"title":"Fix sum","detail":"${TEXT}","files":["src/sum.js"]}],"acceptance_criteria":["sum(1, 2) is 3"],"risks":[],"test_strategy":"The failing test passes.","guidance":null,"created_at":"2026-11-20T09:15:00.000Z"}`;
const PIPELINE = `{"branch":"sluice/fix","base_commit":${COMMIT.replaceAll("'", '"')},"tree":"t","feedback":"${TEXT}${TEXT}"}`;
const RESULT = `{"branch":"sluice/fix","base_commit":${COMMIT.replaceAll("'", '"')},"head_commit":${COMMIT.replaceAll("'", '"')},"change_request_url":null,"summary":"${TEXT}","files_changed":1,"additions":3,"deletions":1,"tests":null,"findings":[],"answer":null}`;
const GATE = `{"kind":"plan","revision":1,"plan_hash":null,"base_commit":null,"head_commit":null,"requested_at":"2026-11-20T09:15:00.000Z","expires_at":null,"reasons":[],"blocker":null,"approvals":[],"approvals_needed":1,"requester_approves":true}`;
const ESTIMATE = `{"history":0,"cost_usd":null,"active_ms":null,"coverage":{"held":0,"of":0}}`;

export function issueRows(size: Size, words: Words): Filled {
  const { issues, users, repos, now } = size;
  const { at, json, bytes } = words;
  const { ago } = timesAround(now, at);
  const id = idOf('issue', 'm.n');
  const user = idOf('user', 'm.un');
  const repo = idOf('repo', 'm.rn');
  /** Newest last, over a year. */
  const wrote = at('m.ms');
  const ended = (kind = "m.kind <> 'pending'") => `made m where m.n <= ${issues} and ${kind}`;
  return {
    repos: rows(
      'repos',
      {
        id: idOf('repo', '(n - 1)'),
        user_id: idOf('user', `((n - 1) % ${users})`),
        name: "'repo-' || n",
        url: "'https://host.example.com/team/r-' || n",
        canonical_remote: "'host.example.com/team/r-' || n",
        default_branch: "'main'",
        provider: "case when n % 10 = 1 then 'codehost' else 'git' end",
        codehost_repo_id: "case when n % 10 = 1 then '' || n end",
        settings: json("'{}'"),
        created_at: ago(360),
        updated_at: ago(9),
        removed_at: `case when n = ${repos} then ${ago(1)} else ${words.never} end`,
      },
      `numbers where n <= ${repos}`,
    ),
    repoMembers: `${rows(
      'repo_members',
      {
        repo_id: idOf('repo', '(n - 1)'),
        user_id: idOf('user', 0),
        role: "'admin'",
        origin: "'added'",
        created_at: ago(300),
        updated_at: ago(300),
      },
      `numbers where n <= ${REPOS_OF_FIRST} and (n - 1) % ${users} <> 0`,
    )}; ${rows(
      'repo_members',
      {
        repo_id: idOf('repo', '(a.n - 1)'),
        user_id: idOf('user', `(1 + (a.n * 7 + b.n * 13) % ${users - 1})`),
        role: "case b.n % 3 when 0 then 'viewer' when 1 then 'contributor' else 'approver' end",
        origin: "'added'",
        created_at: ago(300),
        updated_at: ago(300),
      },
      `numbers a cross join numbers b where a.n <= ${REPOS_OF_FIRST} and b.n <= ${MEMBERS}
        and 1 + (a.n * 7 + b.n * 13) % ${users - 1} <> (a.n - 1) % ${users}`,
    )}`,
    slots: rows('slots', { number: 'n', retired: 'n < 0' }, `numbers where n <= ${SLOTS} on conflict do nothing`),
    issues: rows(
      'issues',
      {
        id,
        user_id: user,
        repo_id: repo,
        title: "'Issue ' || m.n",
        body: `'${TEXT}'`,
        origin:
          "case when m.comment is not null then 'follow_up' when m.imported is not null then 'codehost' else 'api' end",
        labels: json(`'["bug"]'`),
        parent_issue_id: `case when m.comment is not null then ${idOf('issue', '(m.n - 1)')} end`,
        codehost_number: 'm.imported',
        codehost_comment_id: 'm.comment',
        change_request_number: "case when m.kind = 'completed' then m.n end",
        change_request_state: `case when m.kind = 'completed' then ${STATE} end`,
        base_branch: "'main'",
        status: 'm.kind',
        stage:
          "case when m.kind = 'awaiting_approval' then 'human_review' when m.kind <> 'pending' then 'implement' end",
        pipeline: json(`case when m.kind = 'pending' then '{}' else '${PIPELINE}' end`),
        plan_revision: "case when m.kind <> 'pending' then 1 end",
        gate: json(`case when m.kind = 'awaiting_approval' then '${GATE}' end`),
        gate_expires_at: `case when m.kind = 'awaiting_approval' then ${at(`${now} + 7 * ${DAY_MS}`)} else ${words.never} end`,
        result: json(`case when m.kind = 'completed' then '${RESULT}' end`),
        error: json(`case when m.kind = 'failed' then '{"stage":"test","detail":"The tests fail."}' end`),
        input_tokens: 1,
        output_tokens: 1,
        cost_usd: '(m.n % 100) / 100.0',
        active_remote: "case when m.remote then 'host.example.com/team/r-' || (m.rn + 1) end",
        queue_ordinal: 'm.place',
        waiting_ordinal: 'm.line',
        held_by_budget: `case when m.place < ${BELOW_QUEUE} then 'user' end`,
        slot: 'm.slot',
        lease_owner: "case when m.kind = 'running' then 'another host' end",
        lease_epoch: 1,
        lease_expires_at: `case when m.kind = 'running' then ${at(`${now} + ${DAY_MS}`)} else ${words.never} end`,
        created_at: wrote,
        updated_at: wrote,
        queued_at: `case when m.kind <> 'pending' or m.place is not null then ${wrote} else ${words.never} end`,
        started_at: `case when m.kind <> 'pending' then ${wrote} else ${words.never} end`,
        finished_at: `case when m.kind in ('completed', 'failed', 'rejected', 'cancelled') then ${wrote} else ${words.never} end`,
        last_seq: `case when m.kind = 'pending' then 1 else ${EVENTS_PER_ISSUE} end`,
      },
      'made m order by m.n',
    ),
    plans: rows(
      'plans',
      { issue_id: id, revision: 1, document: json(`'${PLAN}'`) },
      "made m where m.kind <> 'pending'",
    ),
    estimates: rows(
      'estimates',
      {
        issue_id: id,
        revision: 1,
        made_at: wrote,
        size: '1 + m.n % 9',
        estimate: json(`'${ESTIMATE}'`),
        cost_before: 0,
        active_ms_before: 1000,
        ended_at: `case when m.kind = 'completed' then ${wrote} else ${words.never} end`,
        cost_usd: "case when m.kind = 'completed' then 0.5 end",
        active_ms: "case when m.kind = 'completed' then 60000 end",
      },
      "made m where m.kind <> 'pending'",
    ),
    attachments: rows(
      'attachments',
      {
        id: idOf('attachment', 'm.n'),
        user_id: user,
        issue_id: `case when m.n % 50 <> 0 then ${id} end`,
        name: "'screen.png'",
        media_type: "'image/png'",
        bytes: 1,
        width: 1,
        height: 1,
        created_at: wrote,
        expires_at: `case when m.n % 500 = 0 then ${at(`${now} + ${DAY_MS}`)} when m.n % 50 = 0 then ${ago(1)} else ${words.never} end`,
        content: bytes,
      },
      'made m where m.n % 10 = 0',
    ),
    events: rows(
      'events',
      {
        issue_id: id,
        seq: 'e.n',
        type: `case when e.n = ${EVENTS_PER_ISSUE} then 'issue.status' else 'agent.message' end`,
        data: json(`'{"agent":"coder","text":"${TEXT.slice(0, 240)}"}'`),
        at: wrote,
        user_id: user,
      },
      `made m inner join numbers e on e.n <= ${EVENTS_PER_ISSUE} and (e.n = 1 or m.kind <> 'pending') order by m.n, e.n`,
    ),
    steps: rows(
      'steps',
      {
        issue_id: id,
        stage: "'plan'",
        round: 1,
        attempt: 1,
        agent: "'planner'",
        started_at: wrote,
        finished_at: wrote,
        outcome: "'completed'",
        input_tokens: 1,
        output_tokens: 1,
        cost_usd: 0.1,
      },
      "made m where m.kind <> 'pending'",
    ),
    journalEntries: rows(
      'journal_entries',
      { issue_id: id, stage: "'implement'", round: 1, entry: json(`'{"kind":"message","message":"${TEXT}"}'`) },
      "made m where m.kind in ('failed', 'running')",
    ),
    patches: rows(
      'patches',
      {
        issue_id: id,
        base_commit: COMMIT,
        head_commit: COMMIT,
        files: json(`'[{"path":"src/sum.js","additions":3,"deletions":1}]'`),
        diff: `'${TEXT}'`,
        updated_at: wrote,
      },
      ended('m.n % 4 = 0'),
    ),
    checkpoints: rows(
      'checkpoints',
      { issue_id: id, kind: "'plan'", commit: COMMIT, object: "'o'", patch: bytes, updated_at: wrote },
      "made m where m.kind = 'failed'",
    ),
    commandLog: rows(
      'command_log',
      { issue_id: id, seq: 'e.n', command: "'npm test'", run_seq: 1, stream: "'stdout'", text: `'${TEXT}'`, at: wrote },
      `made m inner join numbers e on e.n <= 10 where m.n % 20 = 0 and m.kind <> 'pending'`,
    ),
    changeRequests: rows(
      'change_requests',
      {
        repo_id: repo,
        number: 'm.n',
        issue_id: id,
        opened_at: wrote,
        state: STATE,
        ready_at: wrote,
        merged_at: `case when m.n % 3 = 1 then ${wrote} else ${words.never} end`,
        closed_at: `case when m.n % 3 = 2 then ${wrote} else ${words.never} end`,
        head_commit: COMMIT,
        first_build: "case when m.n % 4 = 0 then 'failure' else 'success' end",
        models: json(`'["builtin"]'`),
        at_first_sight: 'm.n % 5 = 0',
        updated_at: wrote,
      },
      "made m where m.kind = 'completed'",
    ),
  };
}

const STATE = "case m.n % 3 when 0 then 'open' when 1 then 'merged' else 'closed' end";

/**
 * The plan of each issue: its user and repository (`un`, `rn`), its status, and its places. The first user asks for
 * every second one, in their first repository.
 */
export function madeIssues({ issues, users, repos, now }: Size): string {
  const half = `(n / 2)`;
  const openN = `(n - ${issues})`; // of those that have not ended
  const upTo = (...counts: number[]) => counts.reduce((sum, count) => sum + count, 0);
  const isOpen = `n > ${issues}`;
  const openKind = `case when ${openN} <= ${RUNNING} then 'running' when ${openN} <= ${upTo(RUNNING, AT_GATE)} then 'awaiting_approval' else 'pending' end`;
  const endedKind = `case when ${half} % 100 < 65 then 'completed' when ${half} % 100 < 85 then 'failed'
    when ${half} % 100 < 90 then 'rejected' when ${half} % 100 < 99 then 'cancelled' else 'pending' end`;
  const queuedFrom = upTo(RUNNING, AT_GATE);
  const heldFrom = upTo(RUNNING, AT_GATE, QUEUED);
  const lineFrom = upTo(RUNNING, AT_GATE, QUEUED, HELD);
  return `create temp table made as select n,
    case when ${isOpen} then ${BUSY_USER} when n % 2 = 0 then 0 else 1 + ${half} % ${users - 1} end as un,
    case when ${isOpen} and ${openN} > ${lineFrom} then 10 when ${isOpen} then 10 + ${openN}
      when n % 2 = 0 then 0 else 1 + ${half} % ${repos - 2} end as rn,
    case when ${isOpen} then ${openKind} else ${endedKind} end as kind,
    ${now} - ${DAY_MS} - (${issues} - n) * (${365 * DAY_MS} / ${issues}) as ms,
    case when not ${isOpen} and n % 50 = 1 then n end as imported,
    case when not ${isOpen} and n % 200 = 3 then 'comment-' || n end as comment,
    ${isOpen} and ${openN} <= ${lineFrom} as remote,
    case when ${isOpen} and ${openN} <= ${RUNNING + AT_GATE / 2} then ${openN} end as slot,
    case when ${isOpen} and ${openN} > ${queuedFrom} and ${openN} <= ${heldFrom} then ${openN}
      when ${isOpen} and ${openN} > ${heldFrom} and ${openN} <= ${lineFrom} then ${Number.MIN_SAFE_INTEGER} + ${openN} end as place,
    case when ${isOpen} and ${openN} > ${lineFrom} then ${openN} end as line
    from numbers where n <= ${issues + OPEN}`;
}
