import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { withStatementCache } from './statement-cache.ts';

it('compiles a statement once, and drops the one that was not used for longest', () => {
  const connection = new Sqlite(':memory:');
  const compiled: string[] = [];
  const counted = (text: string) => {
    compiled.push(text);
    return connection.prepare(text);
  };
  const cached = withStatementCache({ prepare: counted as Sqlite.Database['prepare'] }, 2);
  for (const text of ['select 1', 'select 2', 'select 1', 'select 3', 'select 1']) cached.prepare(text);
  expect(compiled).toEqual(['select 1', 'select 2', 'select 3']);
  expect(cached.prepare('select 2').pluck().get()).toBe(2);
  expect(compiled).toHaveLength(4);
  connection.close();
});
