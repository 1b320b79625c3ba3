import { join } from 'node:path';
import type { RepoId } from '@sluice/core/id';
import { createCodeIndex } from '../create-code-index.ts';
import type { LexicalIndex } from '../lexical-index.ts';
import { indexClock } from './index-harness.ts';
import { createScratchRepo, type ScratchRepo, scratchFolder } from './scratch-repo.ts';

/** An index in a file that a test may spoil while the index is closed, and a repository. */
interface IndexFile extends AsyncDisposable {
  readonly path: string;
  readonly repo: ScratchRepo;
  readonly index: LexicalIndex;
  /** Why the index started again from nothing, each time. */
  readonly rebuilt: readonly string[];
  reopen(): void;
  /** @returns the paths of the hits */
  found(query: string): Promise<string[]>;
}

export function openIndexFile(): IndexFile {
  const data = scratchFolder();
  const path = join(data.path, 'deep', 'code-index.db');
  const repo = createScratchRepo();
  const rebuilt: string[] = [];
  const open = () => createCodeIndex({ file: path, clock: indexClock, onRebuilt: (reason) => rebuilt.push(reason) });
  let index = open();
  return {
    path,
    repo,
    get index() {
      return index;
    },
    rebuilt,
    reopen: () => {
      index = open();
    },
    found: async (query) => {
      const repoId = '019a0000-0000-7000-8000-000000000001' as RepoId;
      const hits = await index.search(repoId, { query, limit: 10 }, new AbortController().signal);
      return hits.map((hit) => hit.path);
    },
    [Symbol.asyncDispose]: async () => {
      await index.close();
      repo[Symbol.dispose]();
      data[Symbol.dispose]();
    },
  };
}
