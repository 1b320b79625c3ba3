import { openSync, readdirSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { RepoId } from '@sluice/core';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCodeIndex } from './create-code-index.ts';
import type { LexicalIndex } from './lexical-index.ts';
import { codeIndexContract } from './test/code-index.contract.ts';
import { sqliteIndexes } from './test/index-harness.ts';
import { createScratchRepo, type ScratchRepo, scratchFolder } from './test/scratch-repo.ts';

codeIndexContract('SQLite', sqliteIndexes);

const clock = { now: () => new Date('2026-11-20T09:15:00.000Z') };
const signal = new AbortController().signal;

let data: ReturnType<typeof scratchFolder>;
let repo: ScratchRepo;
let index: LexicalIndex;
let rebuilt: string[];

const file = () => join(data.path, 'deep', 'code-index.db');
const open = () => createCodeIndex({ file: file(), clock, onRebuilt: (reason) => rebuilt.push(reason) });
const found = async (query: string, repoId = '019a0000-0000-7000-8000-000000000001') =>
  (await index.search(repoId as RepoId, { query, limit: 10 }, signal)).map(({ path }) => path);

beforeEach(() => {
  data = scratchFolder();
  repo = createScratchRepo();
  rebuilt = [];
  index = open();
});

afterEach(async () => {
  await index.close();
  repo[Symbol.dispose]();
  data[Symbol.dispose]();
});

const lines = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => `${line(n + 1)}\n`).join('');

describe('the file of the code index', () => {
  it('keeps its file to its owner and finds everything again after a restart', async () => {
    await index.update(repo.commit({ 'a.ts': 'const needle = 1;\n' }), signal);
    const modes = readdirSync(join(data.path, 'deep')).map(
      (name) => statSync(join(data.path, 'deep', name)).mode & 0o77,
    );
    expect(Math.max(...modes)).toBe(0);
    await index.close();
    index = open();
    expect(await found('needle')).toEqual(['a.ts']);
    expect(rebuilt).toEqual([]);
  });

  it('starts from nothing, and says so, when the file is no database', async () => {
    await index.update(repo.commit({ 'a.ts': 'const needle = 1;\n' }), signal);
    await index.close();
    writeFileSync(file(), 'no database at all, but long enough to be looked at '.repeat(200));
    index = open();
    expect(await found('needle')).toEqual([]);
    expect(rebuilt).toHaveLength(1);
    const workspace = repo.commit({});
    expect(await index.update(workspace, signal)).toMatchObject({ index: { files: 1 } });
    expect(workspace.blobsRead).toHaveLength(1);
  });

  it('rebuilds in the middle of an update when damage shows only then', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [
        `f${n}.ts`,
        lines(60, (m) => `${String.fromCharCode(97 + (n % 26), 97 + n / 26)}quark ${m}`),
      ]),
    );
    await index.update(repo.commit(files), signal);
    await index.close();
    // The first page (header and schema) stays, so that opening succeeds.
    const size = readFileSync(file()).length;
    writeSync(openSync(file(), 'r+'), Buffer.alloc(size - 4_096, 0xa5), 0, size - 4_096, 4_096);
    index = open();
    expect(await index.update(repo.commit({ 'new.ts': 'const needle = 1;\n' }), signal)).toMatchObject({
      index: { files: 301 },
    });
    expect(rebuilt).toHaveLength(1);
    expect(await found('needle')).toEqual(['new.ts']);
    expect(await found('qbquark')).toEqual(['f42.ts']);
  });

  it('rebuilds an index of another version', async () => {
    await index.update(repo.commit({ 'a.ts': 'const needle = 1;\n' }), signal);
    await index.close();
    const db = new Database(file());
    db.pragma('user_version = 99');
    db.close();
    index = open();
    expect(await found('needle')).toEqual([]);
    expect(rebuilt).toHaveLength(1);
  });
});
