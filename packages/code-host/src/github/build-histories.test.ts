import { buildVerdict } from '@sluice/core/code-host';
import { isSoakRun } from '@sluice/testing';
import { expect, it } from 'vitest';
import { CANARY_ORDER, planHistory, playHistory } from '../../test/build-history.ts';
import { openHostBench } from '../../test/host-bench.ts';

const REPO = 'ada/engine';
/** The sample has each kind of verdict once. */
const HISTORIES = isSoakRun ? 200 : 6;
const BIG_LOG = isSoakRun ? 100_000_000 : 2_000_000;

it(`judges ${HISTORIES} build histories right`, async () => {
  await using bench = await openHostBench();
  const { there, host, ada, clock } = bench;
  const wrong: unknown[] = [];
  let logs = 0;
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    const history = planHistory(seed);
    const [base, branch] = [`base-${seed}`, `sluice/${seed}`];
    await there.git(REPO, 'branch', base, 'main');
    // Without a clone for each: the builds are what matters here.
    const push = async (text: string) => {
      const as = ['-c', 'user.name=Ada', '-c', 'user.email=ada@localhost'];
      const commit = await there.git(REPO, ...as, 'commit-tree', 'main^{tree}', '-p', 'main', '-m', text);
      await there.git(REPO, 'update-ref', `refs/heads/${branch}`, commit);
      return commit;
    };
    const { head, earlier } = await playHistory({ there, clock, repo: REPO, branch, base, push }, history, BIG_LOG);
    const hidden = history.requires === 'untold' ? [/\/rules\/branches\//, /\/branches\/base-\d+$/] : [];
    const untold = hidden.map((on) =>
      there.arm({ on, fault: { kind: 'status', status: 403 }, times: Number.POSITIVE_INFINITY }),
    );
    const judge = async (commit: string) =>
      buildVerdict(await host.build(ada, REPO, { commit, baseBranch: base }), head);
    for (const commit of earlier) {
      const { state } = await judge(commit);
      if (state !== 'stale') wrong.push({ seed, commit, state, expected: 'stale' });
    }
    if (history.verdict !== 'stale') {
      const { state, failed } = await judge(head);
      const names = failed.map(({ name }) => name).toSorted();
      if (state !== history.verdict) wrong.push({ seed, state, history });
      const isAll = history.failed.toSorted().join() === names.join();
      // While others are pending, what failed already is reported as well.
      if (!isAll && state !== 'pending') wrong.push({ seed, names, history });
      if (state === 'failure') {
        for (const { check, log } of await host.failedJobs(ada, REPO, failed)) {
          if (check.partOf === null || log === null) continue; // of another app, or beyond the fifth
          logs += 1;
          const [, id] = check.id.split('-');
          if (!log.tail.endsWith(`: the end of ${id}`)) wrong.push({ seed, tail: log.tail.slice(-200) });
          if (log.tail.length > 200 * 1024) wrong.push({ seed, length: log.tail.length });
        }
      }
    }
    for (const fault of untold) fault.lift();
  }
  expect(wrong).toEqual([]);
  expect(logs).toBeGreaterThan(0);
  // Nothing of a log was obeyed: the host was only read, and the other host only asked for logs, without a token.
  const read = there.requests.filter(({ tokenOwner }) => tokenOwner !== null);
  expect(read.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(JSON.stringify(there.requests)).not.toContain('canary');
  expect(there.logs.requests.filter(({ path }) => !/^\/logs\/\d+$/.test(path))).toEqual([]);
  const sent = JSON.stringify(there.logs.requests);
  for (const secret of there.secrets()) expect(sent).not.toContain(secret);
  expect(CANARY_ORDER).toContain('canary');
});
