import { type Decision, isTerminal } from '@sluice/core/issue';
import { openPostgres } from '@sluice/db';
import { migratedDatabase } from '@sluice/db/scratch';
import { isSoakRun, type PostgresDatabases, sharedPostgres, until } from '@sluice/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openStores } from '../open-stores.ts';
import { failStatement, untouched } from '../statement-fault.ts';
import { openWorld } from '../world.ts';

// Usual way: packages/worker/test/pipeline.test.ts

/** The soak run fails every statement, `npm test` one in so many. */
const STRIDE = isSoakRun ? 1 : 20;
/** A failed test names the statement that was failed. `FIRST_STATEMENT=71` begins there. */
const FIRST = Number(process.env.FIRST_STATEMENT ?? 7);

let server: PostgresDatabases;
let template: string;
beforeAll(async () => {
  server = await sharedPostgres();
  const url = await migratedDatabase(server);
  await (await openPostgres({ ...common, url, maxActivePipelines: 5 })).close();
  template = new URL(url).pathname.slice(1);
});
afterAll(() => server[Symbol.asyncDispose]());
afterEach(() => void failStatement(null));

const common = { applicationName: 'sluice-test', clock: { now: () => new Date() } };

/** Its tables are made once, and copied. */
const openOnPostgres: typeof openStores = async ({ signals, sink, cap, gateKeepsSlot }) =>
  openPostgres({
    ...common,
    url: await server.createDatabase(template),
    maxActivePipelines: cap,
    gateKeepsSlot,
    onEvents: (hint) => signals.eventsWritten(hint),
    onRunnable: (ids) => sink.runnable(ids),
  });

/** Events that must be in the log exactly once, whichever statement failed. */
const ONCE =
  /^(issue\.created|.* -> .*|stage\.completed .*|plan\.created|review\.(requested|decided)|result\.published)$/;

const approve: Decision = { action: 'approve' };

/** One pipeline in which one statement fails. @returns that statement, null when there were fewer */
async function pipelineWithFault({ open, moves }: Setting, at: number): Promise<string | null> {
  await using world = await openWorld({ open });
  const parts = { options: { leaseMs: 1_500, maintenanceMs: 100 } };
  const { id } = await untouched(() => world.newIssue());
  const fault = failStatement(at);
  await world.startWorker(parts).catch(async () => {
    await world.startWorker(parts); // as a process supervisor does
  });
  await until(`the issue ended, with a fault in statement ${at}: ${fault.failed}`, () =>
    untouched(async () => {
      const issue = await world.get(id);
      if (issue.gate !== null && issue.queuedAt !== null) await world.decide(id, approve).catch(() => undefined);
      return isTerminal(issue.status);
    }),
  );
  failStatement(null);
  const where = `fault in statement ${at}: ${fault.failed}`;
  await untouched(async () => {
    const issue = await world.get(id);
    expect(issue, `${where} ${JSON.stringify(world.logged)}`).toMatchObject({ status: 'completed', error: null });
    const events = await world.events(id);
    expect(
      events.map(({ seq }) => seq),
      where,
    ).toEqual(events.map((_event, index) => index + 1));
    const once = (await world.story(id)).map((line) => line.replace(/ \d+$/, '')).filter((line) => ONCE.test(line));
    expect(once, where).toEqual(expectedOnce.flatMap((line) => (line === DECIDED ? moves : [line])));
    expect([...world.host.remote.keys()], where).toEqual([issue.result?.branch]);
    expect([...world.host.remote.values()][0]?.head, where).toBe(issue.result?.head_commit);
  });
  return fault.failed;
}

const DECIDED = 'awaiting_approval -> running';
const expectedOnce = [
  'issue.created',
  'pending -> running',
  'stage.completed prepare',
  'stage.completed index',
  'stage.completed triage',
  'stage.completed plan',
  'plan.created',
  'review.requested',
  'running -> human_review',
  'human_review -> awaiting_approval',
  'review.decided',
  DECIDED,
  'stage.completed implement',
  'stage.completed test',
  'stage.completed review',
  'stage.completed publish',
  'result.published',
  'running -> completed',
];

interface Setting {
  readonly open: typeof openStores;
  /** How the issue leaves the gate. */
  readonly moves: readonly string[];
}
const keeping = (open: typeof openStores): Setting => ({ open, moves: [DECIDED] });
const freeing = (open: typeof openStores): Setting => ({
  open: (options) => open({ ...options, gateKeepsSlot: false }),
  moves: ['awaiting_approval -> pending', 'pending -> running'],
});

describe.each([
  ['SQLite', keeping(openStores), STRIDE],
  ['Postgres', keeping(openOnPostgres), STRIDE],
  // Only the gate differs, so fewer statements are failed.
  ['SQLite with gates that free their slots', freeing(openStores), 2 * STRIDE],
  ['Postgres with gates that free their slots', freeing(openOnPostgres), 2 * STRIDE],
])('a pipeline on %s of which one statement fails', (_engine, setting, stride) => {
  it('comes to the same end, with nothing lost and nothing twice', async () => {
    let at = FIRST;
    while ((await pipelineWithFault(setting, at)) !== null) at += stride;
    expect(at).toBeGreaterThan(60); // a pipeline takes about 95 statements: with fewer, some went past the counter
  });
});
