import type { IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import { isSoakRun } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { useFleetOfItsOwn } from '../fleet.ts';
import { type HttpSession, signUp } from '../http-session.ts';
import { byRole, call, finish } from '../model-answers.ts';
import { type ModelServer, startModelServer } from '../model-server.ts';
import { fixingIssue, makeBuggyRepo } from '../scratch-repo.ts';
import type { ServiceProcess } from '../service-process.ts';

// Usual way: packages/worker/test/monthly-budgets.test.ts

/** Issues that run at once: on SQLite in one process, on Postgres over as many worker processes. */
const WORKERS = isSoakRun ? 16 : 2;
/** Input and output of one answer of the scripted model. */
const CALL = 1_000 + 50;
const CODER_TURNS = 5;

const { services, start } = useFleetOfItsOwn(30 * (WORKERS + 2));

const issue = { title: fixingIssue.title, body: 'The check says that the value is broken. Repair it.' };
const limits = { LIMIT_CREATE_ISSUE: '0', LIMIT_CREATE_REPO: '0', LIMIT_MUTATION: '0' };

/** A model whose coders ask five times each, and whose first answers to them come when as many as there are workers have asked. */
async function startCoders(): Promise<ModelServer> {
  const all = Promise.withResolvers<void>();
  let asked = 0;
  return await startModelServer(
    byRole({
      async coder({ turn }) {
        if (turn === 0) {
          asked += 1;
          if (asked === WORKERS) all.resolve();
          await all.promise;
          return { calls: [call('edit_file', { path: 'value.txt', old_text: 'broken', new_text: 'fixed' })] };
        }
        const looks = ['value.txt', 'check.sh', 'Makefile'].map((path) => ({ calls: [call('read_file', { path })] }));
        return looks[turn - 1] ?? finish('It is fixed.');
      },
    }),
  );
}

/** The processes of an installation, which can be started over the same data. */
interface Installation {
  readonly api: ServiceProcess;
  readonly processes: readonly ServiceProcess[];
}

type Begin = (models: ModelServer, before?: Installation) => Promise<Installation>;

const onSqlite: Begin = async (models, before) => {
  const api = await start({
    ...models.environment('compatible'),
    ...limits,
    MAX_ACTIVE_PIPELINES: `${WORKERS}`,
    ...(before !== undefined && { DATA_DIR: before.api.dataDir }),
  });
  return { api, processes: [api] };
};

/** A process that answers, and one for each worker. */
function onPostgres(): Begin {
  let environment: Record<string, string> | undefined;
  return async (models) => {
    environment ??= await services().installation();
    const all = { ...environment, ...models.environment('compatible'), ...limits, MAX_ACTIVE_PIPELINES: `${WORKERS}` };
    const api = await start({ ...all, ROLE: 'api' });
    const processes = [api];
    while (processes.length <= WORKERS) processes.push(await start({ ...all, ROLE: 'worker' }));
    return { api, processes };
  };
}

async function createIssues(person: HttpSession): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < WORKERS) {
    const { body: repo } = await person.call<RepoWire>('POST', '/api/repos', { url: makeBuggyRepo().path });
    const created = await person.call<IssueWire>('POST', '/api/issues', { repo_id: repo.id, ...issue });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    ids.push(created.body.id);
  }
  return ids;
}

interface Budgets {
  readonly installation: { readonly spent: { readonly input_tokens: number; readonly output_tokens: number } };
}

async function tokensSpent(person: HttpSession): Promise<number> {
  const { input_tokens, output_tokens } = (await person.call<Budgets>('GET', '/api/admin/budgets')).body.installation
    .spent;
  return input_tokens + output_tokens;
}

async function setLimit(person: HttpSession, tokens: number | null): Promise<void> {
  const answer = await person.call('PATCH', '/api/admin/budgets', { of: 'installation', tokens });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

const said = (models: ModelServer) => models.used().reduce((sum, { input, output }) => sum + input + output, 0);

/** The end of an issue's work for now. */
interface Rest {
  /** The number of the event that tells it. */
  readonly seq: number;
  readonly isHeld: boolean;
}

/** Waits until the budget holds each issue, or it is completed. @param before where each stood when the budget was set */
async function untilNoneRuns(person: HttpSession, ids: readonly string[], before?: readonly Rest[]): Promise<Rest[]> {
  return await Promise.all(
    ids.map(async (id, index) => {
      const last = before?.[index];
      if (last?.isHeld === false) return last;
      let rest: Rest | null = null;
      await person.events(
        id,
        (event) => {
          if (event.type !== 'issue.status') return false;
          const { to, queue_reason } = event.data;
          if (to === 'completed' || queue_reason === 'budget') rest = { seq: event.seq, isHeld: to !== 'completed' };
          return rest !== null;
        },
        last?.seq,
      );
      return rest ?? expect.fail(`The issue neither waits nor is completed: ${JSON.stringify(await person.issue(id))}`);
    }),
  );
}

const held = (rests: readonly Rest[]) => rests.filter(({ isHeld }) => isHeld).length;

const engines: [string, () => Begin][] = [
  ['SQLite', () => onSqlite],
  ...(isSoakRun ? [['Postgres', onPostgres] as [string, () => Begin]] : []),
];

describe.each(engines)(`one budget of ${WORKERS} workers on %s`, (_, installation) => {
  it('is exceeded by at most one call each, and loses and repeats nothing when they are killed', async () => {
    await using models = await startCoders();
    const begin = installation();
    const installed = await begin(models);
    const person = await signUp(installed.api.url);
    const ids = await createIssues(person);
    for (const id of ids) await person.reaches(id, 'awaiting_approval');
    const before = await tokensSpent(person);

    // All have a call under way when the first one uses up the budget: as far beyond it as they can come.
    await setLimit(person, before + CALL);
    await Promise.all(ids.map((id) => person.call('POST', `/api/issues/${id}/approve`, { action: 'approve' })));
    const first = await untilNoneRuns(person, ids);
    expect(held(first)).toBe(WORKERS);
    expect(await person.issue(ids[0] ?? '')).toMatchObject({ queue_reason: 'budget', held_by_budget: 'installation' });
    expect(await tokensSpent(person)).toBe(before + WORKERS * CALL);

    // Then each as fast as it can.
    const limit = before + 2 * WORKERS * CALL;
    await setLimit(person, limit);
    expect(held(await untilNoneRuns(person, ids, first))).toBeGreaterThan(0);
    const spent = await tokensSpent(person);
    expect(spent).toBeGreaterThanOrEqual(limit);
    expect(spent).toBeLessThan(limit + WORKERS * CALL);
    expect(spent).toBe(said(models));

    await Promise.all(installed.processes.map((one) => one.kill()));
    const second = await begin(models, installed);
    const again = person.at(second.api.url);
    expect(await tokensSpent(again)).toBe(spent);
    await setLimit(again, null);
    for (const id of ids) await again.reaches(id, 'completed');
    expect(await tokensSpent(again)).toBe(said(models));
    const turns = models.requests().flatMap(({ role, turn }) => (role === 'coder' ? [turn] : []));
    const each = Array.from({ length: CODER_TURNS }, (_none, turn) => ids.map(() => turn)).flat();
    expect(turns.toSorted()).toEqual(each);
  });
});
