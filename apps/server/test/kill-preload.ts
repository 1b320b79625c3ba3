import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/**
 * Imported before the service, it counts the boundaries of a run: the transactions that wrote to a journal, a stage run or a
 * checkpoint. Which of them share a commit is a matter of time, so each counts by itself. At boundary `at` (from 1) it
 * kills its own process, right before the commit or right after it. Each boundary up to that one stands in the file `log`,
 * a line each.
 */
const orders = new URL(import.meta.url).searchParams;
const at = Number(orders.get('at'));
const side = orders.get('side');
const log = orders.get('log') ?? '';

interface Statement {
  run(...values: unknown[]): unknown;
}
interface Connection {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
}

/** What the current transaction has written. */
let written: string[] = [];
/** The transactions that wait for the same commit. */
let released: string[] = [];
let count = 0;

// The very copy that the program uses, which brings its own.
const driver = createRequire(process.argv[1] ?? '')('better-sqlite3') as { prototype: Connection };
const { exec, prepare } = driver.prototype;

if (isMainThread) {
  driver.prototype.prepare = function (this: Connection, sql: string) {
    const statement = prepare.call(this, sql);
    const table = /^(?:insert into|update) "(journal_entries|steps|checkpoints)"/.exec(sql)?.[1];
    if (table === undefined) return statement;
    for (const method of ['run', 'get', 'all'] as const) watch(statement, { method, sql, table });
    return statement;
  };
  driver.prototype.exec = function (this: Connection, sql: string) {
    if (sql === 'commit' || sql === 'release one') {
      if (written.length > 0) released.push(written.join(', '));
      written = [];
      return sql === 'commit' ? commit(this) : exec.call(this, sql);
    }
    written = [];
    if (sql === 'begin immediate' || sql === 'rollback') released = [];
    return exec.call(this, sql);
  };
}

function commit(connection: Connection): unknown {
  const reached = at > count ? released.slice(0, at - count) : released;
  if (reached.length > 0) appendFileSync(log, reached.map((what) => `${what}\n`).join(''));
  const isLast = at > count && count + released.length >= at;
  count += released.length;
  released = [];
  if (isLast && side === 'before') killMyself();
  const answer = exec.call(connection, 'commit');
  if (isLast) killMyself();
  return answer;
}

function watch(statement: object, made: { method: string; sql: string; table: string }): void {
  const { method, sql, table } = made;
  const original = Reflect.get(statement, method) as (...values: unknown[]) => unknown;
  Reflect.set(statement, method, (...values: unknown[]) => {
    written.push(inWords(table, { sql, values }));
    return original.apply(statement, values);
  });
}

/** The subject of a write: its stage, and the kinds of its entries. */
function inWords(table: string, { sql, values }: { sql: string; values: unknown[] }): string {
  if (table === 'checkpoints') return `checkpoint of ${String(values[1])}`;
  if (table === 'steps') return sql.startsWith('insert') ? `begin of ${String(values[1])}` : endInWords(values);
  const kinds = values.flatMap((value) => (typeof value === 'string' ? kindOf(value) : []));
  return `${String(values[1])} ${String(values[2])}: ${kinds.join(' + ')}`;
}

function endInWords(values: unknown[]): string {
  const outcome = values.find((value) => value === 'completed' || value === 'failed') ?? 'interrupted';
  // The stage stands in the condition, behind all that is set.
  const stage = values.findLast((value) => typeof value === 'string' && /^[a-z_]+$/.test(value) && value !== outcome);
  return stage === undefined ? `${outcome} whatever ran` : `${outcome} ${stage}`;
}

function kindOf(text: string): string[] {
  if (!text.startsWith('{"kind":')) return [];
  const entry = JSON.parse(text) as { kind: string; message?: { role: string } };
  return [entry.kind === 'message' ? `message of ${entry.message?.role}` : entry.kind];
}

function killMyself(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;); // nothing of this process may run any more
}
