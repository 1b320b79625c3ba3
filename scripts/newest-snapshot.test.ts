import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { keepNewestSnapshot, printSnapshot, snapshotsIn } from './newest-snapshot.ts';

const column = { name: 'id', type: 'text', primaryKey: true, notNull: true };
const snapshot = { id: 'c', prevId: 'b', tables: { users: { name: 'users', columns: { id: column }, indexes: {} } } };

function migrationsWith(files: readonly string[], entries: readonly number[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-snapshots-'));
  mkdirSync(join(folder, 'meta'));
  for (const file of files) writeFileSync(join(folder, 'meta', file), JSON.stringify(snapshot, null, 2));
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ entries: entries.map((idx) => ({ idx })) }));
  return folder;
}

it.each(['sqlite', 'pg'])('has one snapshot, that of the last migration, with a line for each column: %s', (engine) => {
  const migrations = fileURLToPath(new URL(`../packages/db/migrations/${engine}`, import.meta.url));
  const { newest, older } = snapshotsIn(migrations);
  const advice = 'run "npm run migration" in packages/db';
  expect(older, advice).toEqual([]);
  const text = readFileSync(join(migrations, 'meta', newest), 'utf8');
  expect(text === printSnapshot(text), advice).toBe(true);
});

it('removes all snapshots but that of the last migration, whose content it keeps', () => {
  const migrations = migrationsWith(['0000_snapshot.json', '0009_snapshot.json', '0010_snapshot.json'], [0, 9, 10]);
  keepNewestSnapshot(migrations);
  expect(readdirSync(join(migrations, 'meta'))).toEqual(['0010_snapshot.json', '_journal.json']);
  const text = readFileSync(join(migrations, 'meta/0010_snapshot.json'), 'utf8');
  expect(JSON.parse(text)).toEqual(snapshot);
  expect(text).toContain(`\n    "id": ${JSON.stringify(column)}\n`);
});

it('removes nothing when the last migration has no snapshot', () => {
  const migrations = migrationsWith(['0000_snapshot.json'], [0, 1]);
  expect(() => keepNewestSnapshot(migrations)).toThrow('lacks 0001_snapshot.json, the snapshot of the last migration.');
  expect(readdirSync(join(migrations, 'meta'))).toEqual(['0000_snapshot.json', '_journal.json']);
});
