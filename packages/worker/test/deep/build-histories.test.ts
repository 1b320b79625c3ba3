import { isSoakRun } from '@sluice/testing';
import { expect, it } from 'vitest';
import { openHistoryBench } from '../build-histories/history-bench.ts';
import { planHistory } from '../build-histories/plan-history.ts';
import { playHistory } from '../build-histories/play-history.ts';

// Usual way: packages/worker/test/sync-build.test.ts

/** The sample has the first situations of a first head. */
const HISTORIES = isSoakRun ? 200 : 2;
const BIG_LOG = isSoakRun ? 100_000_000 : 2_000_000;

it(`answers the builds of ${HISTORIES} histories as it must: no head too many, no round too many, and no order obeyed`, async () => {
  await using bench = await openHistoryBench();
  const { there } = bench;
  const main = await there.git('ada/engine', 'rev-parse', 'main');
  const wrong: unknown[] = [];
  let [heads, fixes] = [0, 0];
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    const history = planHistory(seed);
    heads += history.heads.length;
    fixes += history.heads.filter((head) => head.fixes.length > 0).length;
    wrong.push(...(await playHistory(bench, history, BIG_LOG)));
  }
  expect(wrong).toEqual([]);
  expect(await there.git('ada/engine', 'rev-parse', 'main')).toBe(main);
  // What was written at the host: pull requests by the test, comments, and drafts made ready. No order asked for these.
  const writes = there.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
  const allowed =
    /^(POST \/repos\/ada\/engine\/pulls|POST \/repos\/ada\/engine\/issues\/\d+\/comments|PATCH \/repos\/ada\/engine\/issues\/comments\/\d+|POST \/graphql)$/;
  expect(writes.filter((write) => !allowed.test(write))).toEqual([]);
  expect(JSON.stringify(there.requests)).not.toContain('canary');
  const sent = JSON.stringify(there.logs.requests);
  for (const secret of there.secrets()) expect(sent).not.toContain(secret);
  console.info(`${HISTORIES} histories, ${heads} heads, ${fixes} follow-ups, ${there.logs.requests.length} logs read`);
});
