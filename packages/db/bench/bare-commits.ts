import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';

/** The rate of the smallest commits there are: rows of 1 kB into one table, `synchronous=FULL`. Answers its parent. */
const [commits = '1000'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const bare = new Sqlite(join(folder, 'bare.db'));
bare.pragma('journal_mode = WAL');
bare.pragma('synchronous = FULL');
bare.exec('create table documents (id integer primary key, document text)');
const insert = bare.prepare('insert into documents (document) values (?)');
const began = performance.now();
for (let made = 0; made < Number(commits); made += 1) insert.run('x'.repeat(1_000));
const rate = Number(commits) / ((performance.now() - began) / 1_000);
bare.close();
rmSync(folder, { recursive: true });
process.send?.(rate);
process.disconnect?.();
