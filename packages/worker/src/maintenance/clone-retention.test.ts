import { systemTimers } from '@sluice/core/async';
import type { CodeIndex } from '@sluice/core/code-search';
import { AppError } from '@sluice/core/error';
import type { RepoId } from '@sluice/core/id';
import type { RepoStore } from '@sluice/core/repo';
import type { Workspaces } from '@sluice/core/workspace';
import { expect, it } from 'vitest';
import { createCloneRetention } from './clone-retention.ts';

it('removes what the other repositories left when one cannot be removed, and keeps the clone of that one', async () => {
  const clones = new Set(['gone-1', 'gone-2', 'gone-3', 'kept'] as RepoId[]);
  const warned: unknown[] = [];
  const keeper = createCloneRetention({
    workspaces: {
      clones: async () => [...clones],
      forget: async (repoId) => {
        if (repoId === 'gone-2') throw new Error('EBUSY');
        clones.delete(repoId);
      },
    } as Partial<Workspaces> as Workspaces,
    codeIndex: {
      drop: async (repoId) => {
        if (repoId === 'gone-1') throw new AppError('not_ready');
      },
    } as Partial<CodeIndex> as CodeIndex,
    repos: { get: async (repoId) => (repoId === 'kept' ? {} : null) } as Partial<RepoStore> as RepoStore,
    timers: systemTimers,
    log: { info: () => undefined, warn: ({ repoId }) => void warned.push(repoId), error: () => undefined },
  });
  await keeper.run();
  expect([...clones]).toEqual(['gone-1', 'gone-2', 'kept']);
  expect(warned).toEqual(['gone-1', 'gone-2']);
});
