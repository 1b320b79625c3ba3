import { callerOf } from '@sluice/core/access';
import type { UserId } from '@sluice/core/id';
import { type OutcomeGrouping, readOutcomes } from '@sluice/core/outcome';
import type { Repo } from '@sluice/core/repo';
import {
  hostedRepo,
  isSoakRun,
  type OpenStores,
  type PostgresDatabases,
  type StoreHarness,
  sharedPostgres,
} from '@sluice/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type History, historiesFrom } from './outcome-histories/histories.ts';
import { independentCount, modelsOf } from './outcome-histories/independent-count.ts';
import { replayHistory } from './outcome-histories/replay-history.ts';
import { scratchStoresOn } from './scratch-postgres.ts';
import { openScratchStores } from './scratch-stores.ts';

const SEED = 20_261_127;
const HISTORIES = isSoakRun ? 1_000 : 50;

let server: PostgresDatabases;
beforeAll(async () => {
  if (isSoakRun) server = await sharedPostgres();
});
afterAll(() => server?.[Symbol.asyncDispose]());

const engines: [string, OpenStores][] = [
  ['SQLite', openScratchStores],
  ...(isSoakRun ? [['Postgres', scratchStoresOn(() => server)] as [string, OpenStores]] : []),
];

describe.each(engines)('replayed histories of pull requests on %s', (_, open) => {
  it(`of which there are ${HISTORIES} give the figures of an independent count, in every group`, async () => {
    await using stores = await open();
    const histories = historiesFrom(SEED, HISTORIES);
    const { userId, repos, asked } = await replayAll(stores, histories);
    expect(asked).toBe(countOf(histories, 'close'));
    const of = async (groupBy: OutcomeGrouping | null) =>
      await readOutcomes(stores, {
        ...{ caller: callerOf(userId), repoId: null, groupBy },
        ...{ from: new Date(0), to: null, signal: new AbortController().signal },
      });
    expect((await of(null)).total).toEqual(independentCount(histories));
    const groupings: [OutcomeGrouping, (history: History) => string | null][] = [
      ['repo', ({ repo }) => repos[repo]?.name ?? null],
      ['model', modelsOf],
      ['prompt_revision', ({ revision }) => revision],
    ];
    for (const [groupBy, groupOf] of groupings) {
      const expected = [...Map.groupBy(histories, groupOf)].map(([name, some]) => [name, independentCount(some)]);
      const found = (await of(groupBy)).groups.map(({ name, figures }) => [name, figures]);
      expect(new Map(found as [])).toEqual(new Map(expected as []));
      expect(found).toHaveLength(expected.length);
    }
    // A sample in which nothing happens would agree with anything.
    for (const kind of ['merge', 'close', 'reopen', 'revert', 'reason', 'review', 'people'] as const) {
      expect(countOf(histories, kind), kind).toBeGreaterThan(HISTORIES / 25);
    }
  });
});

/** Three repositories of one user, one history after the other. @returns how often the reason of a close was asked for */
async function replayAll(
  stores: StoreHarness,
  histories: readonly History[],
): Promise<{ userId: UserId; repos: readonly Repo[]; asked: number }> {
  const first = await hostedRepo(stores, { name: 'acme/sum-0' });
  const { userId } = first;
  const repos = [first];
  for (const index of [1, 2]) repos.push(await hostedRepo(stores, { userId, name: `acme/sum-${index}` }));
  let asked = 0;
  for (const [index, history] of histories.entries()) {
    const repo = repos[history.repo] as Repo;
    const id = await replayHistory(stores, { history, repo, number: index + 1 });
    const events = await stores.issues.events(id, { after: 0, limit: 1_000 });
    asked += events.filter(({ type }) => type === 'close.asked').length;
  }
  return { userId, repos, asked };
}

function countOf(histories: readonly History[], kind: History['steps'][number]['kind']): number {
  return histories.flatMap(({ steps }) => steps).filter((step) => step.kind === kind).length;
}
