import { buildVerdict } from '@sluice/core/code-host';
import { openHostBench } from './host-bench.ts';

const REPO = 'ada/engine';

/** A commit of a branch, and what builders report about it. */
export async function openBuildBench() {
  const bench = await openHostBench();
  const { there, host, ada, clock } = bench;
  const { builders } = there;
  const commit = await there.push(REPO, { by: 'ada', branch: 'sluice/1', files: { 'a.txt': 'a' } });
  const built = { commit, branch: 'sluice/1' };
  const read = () => host.build(ada, REPO, { commit, baseBranch: 'main' });
  return Object.assign(bench, {
    built,
    read,
    verdict: async () => buildVerdict(await read(), commit),
    /** States by source and name. */
    states: async () =>
      Object.fromEntries((await read()).checks.map((one) => [`${one.source} ${one.name}`, one.state])),
    start: (name: string, event = 'pull_request') => builders.startWorkflow(REPO, { ...built, name, event }),
    job: (run: number, name: string, conclusion: 'success' | 'failure' | 'cancelled' | null = null) => {
      clock.advance(1_000);
      const id = builders.startJob(REPO, { run, name });
      clock.advance(1_000);
      if (conclusion !== null) builders.endCheck(REPO, id, { conclusion });
      return id;
    },
    end: (run: number, conclusion: 'success' | 'failure' | 'cancelled' | 'startup_failure') =>
      builders.endWorkflow(REPO, run, conclusion),
  });
}
