import type { IssueId, RunStore, SignalListener, Workspaces } from '@sluice/core';
import { until } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { createWorkspaceRetention } from './workspace-retention.ts';

const id = 'issue-1' as IssueId;

/** A host with one tree, and a database that says whether it is needed. */
function host() {
  const needed = new Set<string>([id]);
  const log: string[] = [];
  let listener: SignalListener = {};
  let releaseLease: () => void = () => undefined;
  let hold: Promise<void> | null = null;
  const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const workspaces = {
    discard: async (issueId: string) => {
      log.push(`discarding ${issueId}`);
      await hold;
      log.push(`discarded ${issueId}`);
    },
    list: async () => [id],
    isSpaceLow: async () => spaceIsLow,
  } as Partial<Workspaces> as Workspaces;
  let spaceIsLow = false;
  const leased = new Set<string>();
  let answering: () => Promise<void> = async () => undefined;
  const runs = {
    needingWorkspace: async (ids: readonly string[]) => {
      const answer = ids.filter((one) => needed.has(one));
      await answering();
      return answer;
    },
    leased: async (ids: readonly string[]) => ids.filter((one) => leased.has(one)),
  } as Partial<RunStore> as RunStore;
  const keeper = createWorkspaceRetention(
    {
      workspaces,
      runs,
      log: quiet,
      clock: { now: () => new Date() },
      signals: {
        eventsWritten: () => undefined,
        live: () => undefined,
        sessionEnded: () => undefined,
        subscribe: (_, heard) => {
          listener = heard;
          return () => {
            listener = {};
          };
        },
      },
    },
    { workspaceTtlMs: 1000 },
  );
  return {
    keeper,
    needed,
    leased,
    log,
    lowerSpace: () => {
      spaceIsLow = true;
    },
    hint: () => listener.onEvents?.({ issueId: id, userId: 'u', seq: 1 }),
    holdRemovals: () => {
      hold = new Promise((resolve) => {
        releaseLease = resolve;
      });
    },
    letRemovalsEnd: () => releaseLease(),
    whileTheDatabaseAnswers: (act: () => Promise<void>) => {
      answering = act;
    },
  };
}

describe('the keeper of working trees', () => {
  it('leaves a tree alone that its issue may need', async () => {
    const { keeper, log } = host();
    await keeper.sweep();
    expect(log).toEqual([]);
  });

  it('removes the tree of an issue that ended, by a sweep', async () => {
    const { keeper, needed, log } = host();
    needed.clear();
    await keeper.sweep();
    expect(log).toEqual(['discarding issue-1', 'discarded issue-1']);
  });

  it('removes the tree as soon as it is told that the issue ended', async () => {
    const { keeper, needed, log, hint } = host();
    const stop = keeper.watch();
    needed.clear();
    hint();
    hint();
    await until('the tree is gone', () => log.length === 2);
    stop();
  });

  it('never removes a tree that a drive is in, and does so when the drive leaves', async () => {
    const { keeper, needed, log, hint } = host();
    keeper.watch();
    await keeper.enter(id);
    needed.clear();
    hint();
    await keeper.sweep();
    expect(log).toEqual([]);
    await keeper.leave(id);
    expect(log).toEqual(['discarding issue-1', 'discarded issue-1']);
  });

  it('removes no tree that a drive entered while the database was asked', async () => {
    const { keeper, needed, log, whileTheDatabaseAnswers } = host();
    needed.clear();
    whileTheDatabaseAnswers(() => keeper.enter(id));
    await keeper.sweep();
    expect(log).toEqual([]);
  });

  it('removes every tree that no drive is in while the disk is nearly full, also one that is needed', async () => {
    const { keeper, log, lowerSpace } = host();
    lowerSpace();
    await keeper.enter(id);
    await keeper.sweep();
    expect(log).toEqual([]);
    await keeper.leave(id);
    await keeper.sweep();
    expect(log).toEqual(['discarding issue-1', 'discarded issue-1']);
  });

  it('leaves the tree of an issue that another process works on, though the disk is nearly full', async () => {
    const { keeper, leased, log, lowerSpace } = host();
    lowerSpace();
    leased.add(id);
    await keeper.sweep();
    expect(log).toEqual([]);
    leased.delete(id);
    await keeper.sweep();
    expect(log).toEqual(['discarding issue-1', 'discarded issue-1']);
  });

  it('lets a drive in only when a removal that is under way has ended', async () => {
    const { keeper, needed, log, holdRemovals, letRemovalsEnd } = host();
    holdRemovals();
    needed.clear();
    const sweeping = keeper.sweep();
    await until('the removal has begun', () => log.length === 1);
    const entering = keeper.enter(id).then(() => log.push('entered'));
    letRemovalsEnd();
    await Promise.all([sweeping, entering]);
    expect(log).toEqual(['discarding issue-1', 'discarded issue-1', 'entered']);
  });
});
