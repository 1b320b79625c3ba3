import type { IssueEvent } from '@sluice/core/issue';
import type { PostgresServer } from '@sluice/testing';
import type { Fate, Trip } from './journey.ts';
import type { Ledger } from './ledger.ts';

export interface Evidence {
  readonly postgres: PostgresServer;
  readonly database: string;
  readonly cap: number;
  readonly trips: readonly Trip[];
  readonly ledger: Ledger;
}

const ENDS: Record<Fate, string> = {
  approve: 'completed',
  instruct: 'completed',
  reject: 'rejected',
  cancel: 'cancelled',
};

/** Judges all that is left when everything has ended. */
export async function judge(evidence: Evidence): Promise<{ mostLogged: number }> {
  await judgeRows(evidence);
  const mostLogged = await judgeOverlaps(evidence);
  for (const trip of evidence.trips) {
    await judgeTrip(evidence, trip);
    judgeEvents(evidence.ledger, trip);
  }
  for (const repo of new Set(evidence.trips.map((trip) => trip.repo))) {
    judgeBranches(
      evidence.ledger,
      evidence.trips.filter((trip) => trip.repo === repo),
    );
  }
  return { mostLogged };
}

/** Checks the rows of all issues, of all users. */
async function judgeRows({ postgres, database, trips, ledger }: Evidence): Promise<void> {
  const ask = (sql: string) => postgres.query(sql, database);
  for (const row of await ask(`select id, status from issues where finished_at is null`)) {
    ledger.violation(`issue ${row.id} never ended: ${row.status}`);
  }
  const known = new Set(trips.map(({ id }) => id));
  for (const { id } of await ask('select id from issues')) {
    if (!known.has(String(id))) ledger.violation(`issue ${id} is nobody's`);
  }
  const gaps = `select issue_id, count(*) as count, max(seq) as last from events group by 1 having count(*) <> max(seq)`;
  for (const row of await ask(gaps)) ledger.violation(`issue ${row.issue_id}: ${row.count} events up to ${row.last}`);
  const twice = `select issue_id, stage, round, count(*) as count from steps where outcome = 'completed'
    group by 1, 2, 3 having count(*) > 1`;
  for (const row of await ask(twice)) {
    ledger.violation(`issue ${row.issue_id}: ${row.stage} of round ${row.round} completed ${row.count} times`);
  }
}

/**
 * Proves from the log that never too many pipelines were live, and never two on one repository: each is live from the
 * commit that admitted it to the commit that ended it, in the order in which Postgres committed.
 */
async function judgeOverlaps({ postgres, database, cap, ledger }: Evidence): Promise<number> {
  const rows = await postgres.query(
    `select e.issue_id, r.canonical_remote as remote, e.data->>'to' as status,
      (extract(epoch from pg_xact_commit_timestamp(e.xmin)) * 1000000)::bigint as at
    from events e join issues i on i.id = e.issue_id join repos r on r.id = i.repo_id
    where e.type = 'issue.status' order by at, (e.data->>'to' = 'running'), e.ordinal`,
    database,
  );
  const live = new Map<string, string>(); // remote by issue
  let most = 0;
  for (const row of rows) {
    if (row.at === null) ledger.violation('a commit has no time');
    const [id, remote, status] = [String(row.issue_id), String(row.remote), String(row.status)];
    if (status !== 'running' && status !== 'human_review' && status !== 'awaiting_approval') live.delete(id);
    else if (!live.has(id)) {
      if ([...live.values()].includes(remote)) ledger.violation(`the log has two live pipelines on ${remote}`);
      live.set(id, remote);
    }
    most = Math.max(most, live.size);
  }
  if (rows.length === 0) ledger.violation('the log has no change of status');
  if (most > cap) ledger.violation(`the log has ${most} live pipelines, and ${cap} may be`);
  return most;
}

/** Checks that the person saw exactly the stored events, and that the issue ended as they wished. */
async function judgeTrip({ postgres, database, ledger }: Evidence, { id, fate, seen, over }: Trip): Promise<void> {
  const [issue] = await postgres.query(`select status, error from issues where id = '${id}'`, database);
  if (issue?.status !== ENDS[fate]) {
    ledger.violation(`issue ${id} (${fate}) ended ${issue?.status}: ${JSON.stringify(issue?.error)}`);
  }
  if (!over) ledger.violation(`the stream of ${id} never came to its end`);
  const rows = await postgres.query(
    `select seq, type, data from events where issue_id = '${id}' order by seq`,
    database,
  );
  if (rows.length !== seen.length) ledger.violation(`issue ${id}: ${seen.length} events seen of ${rows.length}`);
  for (const [index, row] of rows.entries()) {
    const event = seen[index];
    if (event?.seq === row.seq && event?.type === row.type) continue;
    ledger.violation(`issue ${id}: event ${row.seq} is ${row.type}, and ${event?.seq} ${event?.type} was seen`);
    return;
  }
}

const STAGES = ['prepare', 'index', 'triage', 'plan', 'implement', 'test', 'review', 'publish'] as const;

function judgeEvents(ledger: Ledger, { id, fate, seen }: Trip): void {
  const times = (is: (event: IssueEvent) => boolean) => seen.filter(is).length;
  const expect = (what: string, is: (event: IssueEvent) => boolean, wanted: number) => {
    if (times(is) !== wanted) ledger.violation(`issue ${id} (${fate}): ${what} ${times(is)} times, not ${wanted}`);
  };
  expect('created', ({ type }) => type === 'issue.created', 1);
  expect('admitted', (event) => event.type === 'issue.status' && event.data.from === 'pending', 1);
  if (fate === 'cancel') return;
  const isApproved = fate !== 'reject';
  const plans = fate === 'instruct' ? 2 : 1;
  for (const stage of STAGES) {
    const isAfterGate = STAGES.indexOf(stage) > STAGES.indexOf('plan');
    const wanted = stage === 'plan' ? plans : isAfterGate && !isApproved ? 0 : 1;
    expect(`${stage} completed`, (event) => event.type === 'stage.completed' && event.data.stage === stage, wanted);
  }
  expect('planned', ({ type }) => type === 'plan.created', plans);
  expect('asked', ({ type }) => type === 'review.requested', plans);
  expect('decided', ({ type }) => type === 'review.decided', plans);
  expect('published', ({ type }) => type === 'result.published', isApproved ? 1 : 0);
}

/** One branch for each issue that was approved, with one commit that holds the change. */
function judgeBranches(ledger: Ledger, trips: readonly Trip[]): void {
  const [first] = trips;
  if (first === undefined) return;
  const { repo } = first;
  const branches = repo.git('branch', '--list', 'sluice/*', '--format=%(refname:short)').split('\n').filter(Boolean);
  const published = trips.flatMap(({ seen }) =>
    seen.flatMap((event) => (event.type === 'result.published' ? [event.data.result.branch] : [])),
  );
  if (branches.toSorted().join() !== published.toSorted().join()) {
    ledger.violation(`${repo.path} has ${branches.join(', ')} and not ${published.join(', ')}`);
  }
  for (const branch of branches) {
    const commits = repo.git('rev-list', '--count', `main..${branch}`);
    if (commits !== '1') ledger.violation(`${repo.path}: ${branch} has ${commits} commits`);
    const value = repo.git('show', `${branch}:value.txt`);
    if (value !== 'fixed') ledger.violation(`${repo.path}: ${branch} holds ${value}`);
  }
}
