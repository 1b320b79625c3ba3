import type { RunStore } from '@sluice/core/agent';
import type { IssueId } from '@sluice/core/id';
import type { SignalListener } from '@sluice/core/issue';
import type { Workspaces } from '@sluice/core/workspace';
import { until } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { createWorkspaceRetention } from './workspace-retention.ts';

const id = 'issue-1' as IssueId;

/** A host with one tree, and a database that knows whether it is needed. */
function host() {
  const needed = new Set<string>([id]);
  const log: string[] = [];
  const asked: string[] = [];
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
      asked.push(...ids);
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
        accessChanged: () => undefined,
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
    asked,
    lowerSpace: () => {
      spaceIsLow = true;
    },
    hint: (issueId = id) => listener.onEvents?.({ issueId, userId: 'u', seq: 1 }),
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

describe('retention of working trees', () => {
  it('keeps a tree that its issue may need', async () => {
    const { keeper, log } = host();
    await keeper.run();
    expect(log).toEqual([]);
  });

  it('removes the tree of an ended issue', async () => {
    const { keeper, needed, log } = host();
    needed.clear();
    await keeper.run();
    expect(log).toEqual(['discarding issue-1', 'discarded issue-1']);
  });

  it('removes the tree as soon as a signal reports that the issue ended', async () => {
    const { keeper, needed, log, hint } = host();
    const stop = keeper.watch();
    needed.clear();
    hint();
    hint();
    await until('the tree is gone', () => log.length === 2);
    stop();
  });

  it('asks the database only about trees that this host has', async () => {
    const { keeper, asked, log, hint } = host();
    const stop = keeper.watch();
    for (const other of ['issue-2', 'issue-3', '']) hint(other as IssueId);
    hint();
    await until('the database was asked', () => asked.length > 0);
    expect(asked).toEqual([id]);
    expect(log).toEqual([]);
    stop();
  });

  it('keeps a tree until the last of two overlapping executions has left it', async () => {
    const { keeper, needed, log } = host();
    await keeper.enter(id);
    await keeper.enter(id);
    needed.clear();
    await keeper.leave(id);
    await keeper.run();
    expect(log).toEqual([]);
    await keeper.leave(id);
    expect(log).toEqual(['discarding issue-1', 'discarded issue-1']);
  });

  it('keeps a tree while an execution uses it, and removes it afterwards', async () => {
    const { keeper, needed, log, hint } = host();
    keeper.watch();
    await keeper.enter(id);
    needed.clear();
    hint();
    await keeper.run();
    expect(log).toEqual([]);
    await keeper.leave(id);
    expect(log).toEqual(['discarding issue-1', 'discarded issue-1']);
  });

  it('keeps a tree that an execution entered during the query', async () => {
    const { keeper, needed, log, whileTheDatabaseAnswers } = host();
    needed.clear();
    whileTheDatabaseAnswers(() => keeper.enter(id));
    await keeper.run();
    expect(log).toEqual([]);
  });

  it('removes every unused tree while the disk is nearly full, also one that is needed', async () => {
    const { keeper, log, lowerSpace } = host();
    lowerSpace();
    await keeper.enter(id);
    await keeper.run();
    expect(log).toEqual([]);
    await keeper.leave(id);
    await keeper.run();
    expect(log).toEqual(['discarding issue-1', 'discarded issue-1']);
  });

  it('keeps the tree of an issue that another process executes while the disk is nearly full', async () => {
    const { keeper, leased, log, lowerSpace } = host();
    lowerSpace();
    leased.add(id);
    await keeper.run();
    expect(log).toEqual([]);
    leased.delete(id);
    await keeper.run();
    expect(log).toEqual(['discarding issue-1', 'discarded issue-1']);
  });

  it('makes an execution wait for a removal that is under way', async () => {
    const { keeper, needed, log, holdRemovals, letRemovalsEnd } = host();
    holdRemovals();
    needed.clear();
    const sweeping = keeper.run();
    await until('the removal has begun', () => log.length === 1);
    const entering = keeper.enter(id).then(() => log.push('entered'));
    letRemovalsEnd();
    await Promise.all([sweeping, entering]);
    expect(log).toEqual(['discarding issue-1', 'discarded issue-1', 'entered']);
  });
});
