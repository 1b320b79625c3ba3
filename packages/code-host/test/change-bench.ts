import { openHostBench } from './host-bench.ts';

const REPO = 'ada/engine';

/** A pull request of one commit that Sluice has opened. */
export async function openChangeBench() {
  const bench = await openHostBench();
  const { there, host, ada, clock } = bench;
  there.addUser({ login: 'bob' });
  there.setPermission(REPO, { login: 'bob', permission: 'write' });
  const push = (branch: string, files: Record<string, string>, more: { by?: string; message?: string } = {}) => {
    clock.advance(1_000);
    return there.push(REPO, { by: 'ada', branch, files, ...more });
  };
  await push('sluice/1', { 'a.txt': 'a' });
  const { number } = await host.openChangeRequest(ada, REPO, {
    ...{ title: 'A', body: '', headBranch: 'sluice/1', baseBranch: 'main', draft: false },
  });
  const merged = (mergeCommit: string) => ({ number, baseBranch: 'main', mergeCommit, mergedAt: clock.now() });
  return Object.assign(bench, {
    push,
    number,
    merged,
    place: { repo: REPO, number, by: 'ada' },
    details: () => host.changeRequest(ada, REPO, number),
    revertOf: (of: ReturnType<typeof merged>) => host.findRevert(ada, REPO, of),
  });
}
