import { createCodeHost } from '@sluice/code-host';
import type { Repo } from '@sluice/core/repo';
import { type FakeCodeHost, scratchOrigin, startCodeHost } from '@sluice/fake-code-host';
import { localHosts, type SettableClock, settableClock } from '@sluice/testing';
import type { SyncContext } from '../../src/sync/sync-context.ts';
import { type CodeHostWorld, openCodeHostWorld } from '../code-host-world.ts';
import { MAX_ROUNDS } from './plan-history.ts';

export const HOSTED = 'ada/engine';
const quick = { writeGapMs: 0, noticeGapMs: 0, searchGapMs: 0, retryAfterMs: 1, longestWaitMs: 5_000, secondMs: 1 };

/** The sync over real stores and the adapter, at a code host on loopback. */
export interface HistoryBench extends AsyncDisposable {
  readonly world: CodeHostWorld;
  readonly there: FakeCodeHost;
  readonly clock: SettableClock;
  readonly work: SyncContext;
  readonly repo: Repo;
  readonly codehostRepoId: string;
  /** Makes a commit the tip of a branch, without a clone. @returns the commit */
  push(branch: string, parent: string, text: string): Promise<string>;
}

export async function openHistoryBench(): Promise<HistoryBench> {
  const clock = settableClock();
  using origin = scratchOrigin();
  const there = await startCodeHost({ clock });
  there.addUser({ login: 'ada' });
  await there.addRepo({ fullName: HOSTED, from: origin.path });
  const options = {
    webUrl: new URL(there.url),
    apiUrl: new URL(there.apiUrl),
    clock,
    hosts: localHosts,
    userAgent: 'sluice-test',
  };
  const host = createCodeHost({ ...options, pace: quick });
  const token = there.issueToken('ada');
  const tokens: SyncContext['tokens'] = {
    of: async () => token,
    callAsUser: (_user, signal, work) => work({ token, signal }),
  };
  const world = await openCodeHostWorld();
  const hosted = await host.repo({ token, signal: new AbortController().signal }, HOSTED);
  const repo = await world.register(
    { follow_build: 'fix', follow_base: 'off' },
    { url: `${hosted.url}.git`, canonicalRemote: hosted.url, codehostRepoId: hosted.id },
  );
  return {
    ...{ world, there, clock, repo, codehostRepoId: hosted.id },
    work: { ...world.work, host, tokens, buildRounds: MAX_ROUNDS },
    push: async (branch, parent, text) => {
      const as = ['-c', 'user.name=Ada', '-c', 'user.email=ada@localhost'];
      const commit = await there.git(HOSTED, ...as, 'commit-tree', `${parent}^{tree}`, '-p', parent, '-m', text);
      await there.git(HOSTED, 'update-ref', `refs/heads/${branch}`, commit);
      return commit;
    },
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]();
      await there[Symbol.asyncDispose]();
    },
  };
}
