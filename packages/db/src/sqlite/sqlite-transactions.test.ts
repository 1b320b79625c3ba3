import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSqliteTransactions, type SqliteTransactions } from './sqlite-transactions.ts';

describe('transactions on SQLite', () => {
  let writer: Sqlite.Database;
  let transactions: SqliteTransactions;
  const rows = () => writer.prepare('select n from t order by rowid').pluck().all();
  const insert = (n: number) => writer.prepare('insert into t values (?)').run(n);

  beforeEach(() => {
    writer = new Sqlite(':memory:');
    writer.exec('create table t (n integer)');
    transactions = createSqliteTransactions(writer);
  });

  it('run one after another, in the order in which they were asked for', async () => {
    const seen: string[] = [];
    await Promise.all(
      [1, 2, 3].map((n) =>
        transactions.run(async () => {
          seen.push(`begin ${n}`);
          for (let step = 0; step < 5; step += 1) await Promise.resolve();
          insert(n);
          seen.push(`end ${n}`);
        }),
      ),
    );
    expect(seen).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2', 'begin 3', 'end 3']);
    expect(rows()).toEqual([1, 2, 3]);
  });

  it('leave nothing behind when they fail, and those behind them go on', async () => {
    const failing = transactions.run(async () => {
      insert(1);
      await Promise.resolve();
      throw new Error('no');
    });
    const next = transactions.run(async () => insert(2));
    await expect(failing).rejects.toThrow('no');
    await next;
    expect(rows()).toEqual([2]);
  });

  it('refuse to begin inside one another instead of waiting for themselves', async () => {
    const outer = transactions.run(async () => {
      insert(1);
      await transactions.run(async () => insert(2));
    });
    await expect(outer).rejects.toThrow(/inside another/);
    await transactions.run(async () => insert(3));
    expect(rows()).toEqual([3]);
  });

  it('may be begun after one another in one flow of work', async () => {
    await transactions.run(async () => insert(1));
    await transactions.run(async () => insert(2));
    expect(rows()).toEqual([1, 2]);
  });

  it('are undone when they await anything but their own queries', async () => {
    const slow = transactions.run(async () => {
      insert(1);
      await setImmediate();
    });
    await expect(slow).rejects.toThrow(/awaited something other/);
    expect(rows()).toEqual([]);
  });

  it('end with those under way, and no further one begins', async () => {
    const last = transactions.run(async () => insert(1));
    await transactions.end();
    expect(rows()).toEqual([1]);
    await last;
    await expect(transactions.run(async () => insert(2))).rejects.toThrow(/closed/);
  });

  it('report a full disk, change nothing, and continue when there is space again', async () => {
    writer.pragma('max_page_count = 4'); // SQLite's own limit: it refuses as it does on a full disk
    const fill = () => transactions.run(async () => void writer.exec('insert into t values (zeroblob(100000))'));
    await expect(fill()).rejects.toMatchObject({
      code: 'not_ready',
      message: expect.stringMatching(/disk .* is full/),
    });
    const wrapped = transactions.run(async () => {
      try {
        writer.exec('insert into t values (zeroblob(100000))');
      } catch (cause) {
        throw new Error('Failed query', { cause });
      }
    });
    await expect(wrapped).rejects.toMatchObject({ code: 'not_ready' });
    expect(rows()).toEqual([]);
    writer.pragma('max_page_count = 1000');
    await fill();
    expect(rows()).toHaveLength(1);
  });

  it('run once more when space was freed for them, and not a third time', async () => {
    writer.pragma('max_page_count = 4');
    let frees = true;
    let asked = 0;
    const freeing = createSqliteTransactions(writer, () => {
      asked += 1;
      if (frees) writer.pragma('max_page_count = 40');
      return true;
    });
    const fill = () => freeing.run(async () => void writer.exec('insert into t values (zeroblob(100000))'));
    await fill();
    expect([asked, rows().length]).toEqual([1, 1]);
    frees = false;
    await expect(fill()).rejects.toMatchObject({ code: 'not_ready' });
    expect([asked, rows().length]).toEqual([2, 1]);
  });
});

describe('transactions that wait at the same time on SQLite', () => {
  let writer: Sqlite.Database;
  let commits: number;
  const rows = () => writer.prepare('select n from t order by rowid').pluck().all();
  const insert = (n: number) => writer.prepare('insert into t values (?)').run(n);
  const outcomes = async (runs: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(runs)).map((run) => (run.status === 'fulfilled' ? run.value : `${run.reason}`));

  beforeEach(() => {
    writer = new Sqlite(':memory:');
    writer.exec('create table t (n integer)');
    commits = 0;
    const exec = writer.exec.bind(writer);
    writer.exec = (sql) => {
      if (sql === 'commit') commits += 1;
      return exec(sql);
    };
  });

  it('share a commit, at most 32 of them, and are answered after it, in order', async () => {
    const { run } = createSqliteTransactions(writer);
    const answered: unknown[] = [];
    const numbers = Array.from({ length: 33 }, (_, at) => at);
    await Promise.all(
      numbers.map((n) => run(async () => insert(n)).then(() => answered.push([n, commits, writer.inTransaction]))),
    );
    expect(answered).toEqual(numbers.map((n) => [n, n < 32 ? 1 : 2, false]));
    expect(rows()).toEqual(numbers);
  });

  it('see what those before them have changed, and nothing of one that failed', async () => {
    const { run } = createSqliteTransactions(writer);
    const failing = async () => {
      insert(2);
      await Promise.resolve();
      throw new Error('no');
    };
    const ends = await outcomes([run(async () => void insert(1)), run(failing), run(async () => rows().length)]);
    expect(ends).toEqual([undefined, 'Error: no', 1]);
    expect([rows(), commits]).toEqual([[1], 1]);
  });

  it('run again one by one when the commit fails, so that the others succeed', async () => {
    const { run } = createSqliteTransactions(writer);
    writer.pragma('foreign_keys = ON');
    writer.exec('create table child (parent integer references parent deferrable initially deferred)');
    writer.exec('create table parent (id integer primary key)');
    const orphan = () => run(async () => void writer.exec('insert into child values (1)'));
    const ends = await outcomes([run(async () => void insert(1)), orphan(), run(async () => void insert(2))]);
    expect(ends).toEqual([undefined, expect.stringMatching(/FOREIGN KEY/), undefined]);
    expect(rows()).toEqual([1, 2]);
  });

  it('are all undone on a full disk, and run again one by one once space was freed', async () => {
    writer.pragma('max_page_count = 4');
    let asked = 0;
    const { run } = createSqliteTransactions(writer, () => {
      asked += 1;
      writer.pragma('max_page_count = 40');
      return true;
    });
    const large = () => run(async () => void writer.exec('insert into t values (zeroblob(100000))'));
    await Promise.all([run(async () => insert(1)), large(), run(async () => insert(2))]);
    expect([rows().length, asked]).toEqual([3, 1]);
  });

  it('wait for a lock that another process holds once for all of them', async () => {
    const { run } = createSqliteTransactions(writer);
    let begun = 0;
    const exec = writer.exec.bind(writer);
    writer.exec = (sql) => {
      if (sql !== 'begin immediate') return exec(sql);
      begun += 1;
      throw new Sqlite.SqliteError('database is locked', 'SQLITE_BUSY');
    };
    const ends = await outcomes([1, 2, 3].map((n) => run(async () => insert(n))));
    expect(ends).toEqual([1, 2, 3].map(() => expect.stringMatching(/locked/)));
    expect(begun).toBe(1);
    writer.exec = exec;
    await Promise.all([run(async () => insert(4)), run(async () => insert(5))]);
    expect(rows()).toEqual([4, 5]);
  });

  it('do not fail with one that awaits something else', async () => {
    const { run } = createSqliteTransactions(writer);
    const slow = async () => {
      insert(2);
      await setImmediate();
    };
    const ends = await outcomes([run(async () => void insert(1)), run(slow), run(async () => void insert(3))]);
    expect(ends).toEqual([undefined, expect.stringMatching(/awaited something other/), undefined]);
    expect(rows()).toEqual([1, 3]);
  });

  it('run each in the asynchronous context of its caller', async () => {
    const { run } = createSqliteTransactions(writer);
    const caller = new AsyncLocalStorage<string>();
    const from = (name: string) => caller.run(name, () => run(async () => caller.getStore()));
    expect(await Promise.all([from('ada'), from('bob'), from('eve')])).toEqual(['ada', 'bob', 'eve']);
  });
});
