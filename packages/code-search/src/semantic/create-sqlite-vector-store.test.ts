import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VectorStore } from '@sluice/core/code-search';
import { vectorStoreContract } from '@sluice/testing';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSqliteVectorStore, type SqliteVectorStoreOptions } from './create-sqlite-vector-store.ts';

const signal = new AbortController().signal;

vectorStoreContract('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vectors-'));
  const onRebuilt = (reason: string) => {
    throw new Error(reason);
  };
  const store = createSqliteVectorStore({ file: join(folder, 'vectors.db'), onRebuilt });
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
});

describe('the store of vectors in SQLite', () => {
  let folder: string;
  let rebuilt: string[];
  let opened: VectorStore[];

  const file = () => join(folder, 'deep', 'vectors.db');
  const open = (options: Partial<SqliteVectorStoreOptions> = {}) => {
    const store = createSqliteVectorStore({ file: file(), onRebuilt: (reason) => rebuilt.push(reason), ...options });
    opened.push(store);
    return store;
  };
  const pointing = (count: number, dimensions = 8) =>
    Array.from({ length: count }, (_, n) => ({
      id: `v${n}`,
      vector: Float32Array.from({ length: dimensions }, (_, m) => Math.sin(n + m)),
    }));
  const near = async (store: VectorStore, { id, vector }: { id: string; vector: Float32Array }) => {
    const [first] = await store.nearest('c', { vector, limit: 1 }, signal);
    return first?.id === id;
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vectors-'));
    rebuilt = [];
    opened = [];
  });

  afterEach(async () => {
    await Promise.all(opened.map((store) => store.close()));
    rmSync(folder, { recursive: true });
  });

  it('keeps its file to its owner and finds everything again after a restart', async () => {
    const vectors = pointing(3);
    const first = open();
    await first.upsert('c', vectors, signal);
    const modes = readdirSync(join(folder, 'deep')).map((name) => statSync(join(folder, 'deep', name)).mode & 0o77);
    expect(modes.length).toBeGreaterThan(1);
    expect(Math.max(...modes)).toBe(0);
    await first.close();
    const second = open();
    for (const vector of vectors) expect(await near(second, vector)).toBe(true);
    expect(rebuilt).toEqual([]);
  });

  it('starts from nothing, and says so, when the file is no database', async () => {
    await open().check(signal);
    await opened[0]?.close();
    writeFileSync(file(), 'no database at all, but long enough to be looked at '.repeat(200));
    const store = open();
    expect(await store.existing('c', ['v0'], signal)).toEqual([]);
    expect(rebuilt).toHaveLength(1);
    await store.upsert('c', pointing(1), signal);
    expect(await store.existing('c', ['v0'], signal)).toEqual(['v0']);
  });

  it('starts from nothing when damage shows only in the middle of the work, and does that work', async () => {
    const first = open();
    await first.upsert('c', pointing(3_000, 64), signal);
    await first.close();
    // The first page (header and schema) stays, so that opening succeeds.
    const size = readFileSync(file()).length;
    const descriptor = openSync(file(), 'r+');
    writeSync(descriptor, Buffer.alloc(size - 16_384, 0xa5), 0, size - 16_384, 16_384);
    closeSync(descriptor);
    const store = open();
    await store.upsert('c', pointing(2), signal);
    expect(rebuilt).toHaveLength(1);
    expect(await store.existing('c', ['v0', 'v1', 'v2'], signal)).toEqual(['v0', 'v1']);
  });

  it('rejects the calls of a dying thread, and works again with the next call on the same data', async () => {
    const store = open({ memoryMb: 12 });
    const vectors = pointing(5);
    await store.upsert('c', vectors, signal);
    // More than the thread's memory can hold.
    const endless = Array.from({ length: 2_000 }, (_, n) => `${n}`.padEnd(40_000, '\u{2020}'));
    await expect(store.existing('c', endless, signal)).rejects.toMatchObject({ code: 'not_ready' });
    for (const vector of vectors) expect(await near(store, vector)).toBe(true);
    expect(rebuilt).toEqual([]);
  });

  it('gives up a thread that hangs and works again once the file is free', async () => {
    const store = open({ timeoutMs: 2_500 }); // SQLite itself waits for 5 s
    await store.upsert('c', pointing(2), signal);
    const holder = new Database(file());
    holder.exec('begin immediate');
    await expect(store.drop('c')).rejects.toMatchObject({ code: 'not_ready' });
    holder.exec('rollback');
    holder.close();
    const dropped = () =>
      store.drop('c').then(
        () => 'dropped',
        () => 'busy',
      );
    await expect.poll(dropped).toBe('dropped');
    expect(await store.existing('c', ['v0'], signal)).toEqual([]);
  });

  it('says nothing of the host when the file cannot be opened', async () => {
    await open().check(signal);
    const refused = await open({ file: join(file(), 'below', 'a-file.db') })
      .check(signal)
      .catch((error: Error) => error);
    expect(refused).toMatchObject({ code: 'not_ready' });
    expect(String(refused)).not.toContain(folder);
  });

  it('leaves out of an answer what points nowhere, and knows it all the same', async () => {
    const store = open();
    const nowhere = { id: 'nowhere', vector: new Float32Array(8) };
    await store.upsert('c', [...pointing(2), nowhere], signal);
    const question = { vector: Float32Array.from({ length: 8 }, () => 1), limit: 10 };
    expect(await store.nearest('c', question, signal)).toHaveLength(2);
    expect(await store.existing('c', ['nowhere'], signal)).toEqual(['nowhere']);
  });

  it.each([
    [0, 1],
    [-3, 1],
    [7, 7],
    [1_000_000, 1_000],
  ])('answers a limit of %j with %j neighbours', async (limit, count) => {
    const store = open();
    await store.upsert('c', pointing(1_100), signal);
    const question = { vector: Float32Array.from({ length: 8 }, () => 1), limit };
    expect(await store.nearest('c', question, signal)).toHaveLength(count);
  });
});
