import { join } from 'node:path';
import type { CodeIndex } from '@sluice/core/code-search';
import type { RepoId } from '@sluice/core/id';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CodeIndexOptions, createCodeIndex } from '../../src/lexical/create-code-index.ts';
import { codeIndexFaultsContract, manyFiles } from '../../src/lexical/test/code-index-faults.contract.ts';
import { sqliteIndexes } from '../../src/lexical/test/index-harness.ts';
import { createScratchRepo, type ScratchRepo, scratchFolder } from '../../src/lexical/test/scratch-repo.ts';

codeIndexFaultsContract('SQLite', sqliteIndexes);

const signal = new AbortController().signal;
const repoId = '019a0000-0000-7000-8000-000000000001' as RepoId;

let data: ReturnType<typeof scratchFolder>;
let repo: ScratchRepo;
let opened: CodeIndex[];
let rebuilt: string[];

const file = () => join(data.path, 'code-index.db');
function open(options: Partial<CodeIndexOptions> = {}): CodeIndex {
  const index = createCodeIndex({
    file: file(),
    clock: { now: () => new Date() },
    onRebuilt: (reason) => rebuilt.push(reason),
    ...options,
  });
  opened.push(index);
  return index;
}
const paths = async (index: CodeIndex, query: string) =>
  (await index.search(repoId, { query, limit: 50 }, signal)).map(({ path }) => path).sort();

beforeEach(() => {
  data = scratchFolder();
  repo = createScratchRepo();
  opened = [];
  rebuilt = [];
});

afterEach(async () => {
  await Promise.all(opened.map((index) => index.close()));
  repo[Symbol.dispose]();
  data[Symbol.dispose]();
});

describe('the thread of the code index', () => {
  it('rejects the calls of a dying thread, and works again with the next call', async () => {
    const workspace = repo.commit(manyFiles(20, 'alpha'));
    const index = open({ memoryMb: 24 });
    await index.update(workspace, signal);
    // More names than the thread's memory can hold.
    const endless = {
      ...repo.commit({}),
      blobs: async () =>
        Array.from({ length: 400_000 }, (_, n) => ({
          path: `${'deep/'.repeat(20)}${n}`,
          blob: `${n}`.padStart(40, '0'),
          bytes: 1,
        })),
    };
    await expect(index.update(endless, signal)).rejects.toMatchObject({ code: 'not_ready' });
    expect(await paths(index, 'alpha')).toHaveLength(20);
    expect(rebuilt).toEqual([]);
  });

  it('gives up a thread that hangs and works again once the file is free', async () => {
    const workspace = repo.commit(manyFiles(5, 'alpha'));
    await open().update(workspace, signal);
    const index = open({ timeoutMs: 2_500 }); // SQLite itself waits for 5 s
    await paths(index, 'alpha');
    const holder = new Database(file());
    holder.exec('begin immediate');
    await expect(index.drop(repoId)).rejects.toMatchObject({ code: 'not_ready' });
    holder.exec('rollback');
    holder.close();
    await expect
      .poll(() =>
        index.drop(repoId).then(
          () => 'dropped',
          () => 'busy',
        ),
      )
      .toBe('dropped');
  });

  it('says nothing of the host when the file cannot be opened', async () => {
    const index = open({ file: join(file(), 'below', 'a-file.db') });
    await open().search(repoId, { query: 'x1', limit: 1 }, signal);
    const refused = await index.search(repoId, { query: 'alpha', limit: 1 }, signal).catch((error: Error) => error);
    expect(refused).toMatchObject({ code: 'not_ready' });
    expect(String(refused)).not.toContain(data.path);
  });
});
