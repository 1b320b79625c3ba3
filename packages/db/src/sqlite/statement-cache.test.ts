import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { withStatementCache } from './open-sqlite-database.ts';

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

it('leaves SQLite no reason to compile a statement again for other values', () => {
  const connection = new Sqlite(':memory:');
  let calls = 0;
  connection.function('seen', { deterministic: true }, (value: unknown) => {
    calls += 1; // once in each execution, and once in each compilation that looks at the statistics
    return value;
  });
  connection.exec('create table t (a integer, b integer); create index t_a on t (a)');
  for (let row = 0; row < 100; row += 1) connection.exec(`insert into t values (${row % 5}, ${row})`);
  connection.exec('analyze');
  const text = 'select b from t where a = seen(3) limit ?';
  const callsOf = (statement: Sqlite.Statement) => {
    calls = 0;
    for (const limit of [1, 2, 3]) expect(statement.all(limit)).toHaveLength(limit);
    return calls;
  };
  expect(callsOf(connection.prepare(text))).toBe(6); // or SQLite no longer does it
  const statement = withStatementCache(connection).prepare(text);
  statement.all(5);
  expect(callsOf(statement)).toBe(3);
  connection.close();
});

it('takes no question mark of a text for a placeholder', () => {
  const connection = new Sqlite(':memory:');
  const statement = withStatementCache(connection).prepare(`select ? || '?' || 'it''s ?' as "what?"`);
  expect(statement.get('x')).toEqual({ 'what?': "x?it's ?" });
  connection.close();
});
