import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { codeIndexContract } from './test/code-index.contract.ts';
import { openIndexFile } from './test/index-file.ts';
import { sqliteIndexes } from './test/index-harness.ts';

codeIndexContract('SQLite', sqliteIndexes);

const signal = new AbortController().signal;

describe('the file of the code index', () => {
  it('keeps its file to its owner and finds everything again after a restart', async () => {
    await using file = openIndexFile();
    await file.index.update(file.repo.commit({ 'a.ts': 'const needle = 1;\n' }), signal);
    const folder = dirname(file.path);
    const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o77);
    expect(Math.max(...modes)).toBe(0);
    await file.index.close();
    file.reopen();
    expect(await file.found('needle')).toEqual(['a.ts']);
    expect(file.rebuilt).toEqual([]);
  });

  it('starts from nothing, and says so, when the file is no database', async () => {
    await using file = openIndexFile();
    await file.index.update(file.repo.commit({ 'a.ts': 'const needle = 1;\n' }), signal);
    await file.index.close();
    writeFileSync(file.path, 'no database at all, but long enough to be looked at '.repeat(200));
    file.reopen();
    expect(await file.found('needle')).toEqual([]);
    expect(file.rebuilt).toHaveLength(1);
    const workspace = file.repo.commit({});
    expect(await file.index.update(workspace, signal)).toMatchObject({ index: { files: 1 } });
    expect(workspace.blobsRead).toHaveLength(1);
  });

  it('rebuilds an index of another version', async () => {
    await using file = openIndexFile();
    await file.index.update(file.repo.commit({ 'a.ts': 'const needle = 1;\n' }), signal);
    await file.index.close();
    const db = new Database(file.path);
    db.pragma('user_version = 99');
    db.close();
    file.reopen();
    expect(await file.found('needle')).toEqual([]);
    expect(file.rebuilt).toHaveLength(1);
  });
});
