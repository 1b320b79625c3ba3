import type Sqlite from 'better-sqlite3';

/** As many rows as there are pipelines, versions, or tables: read as a whole wherever they are read. */
const smallTables = ['slots', 'migrations', 'sqlite_schema', 'sqlite_sequence', 'codehost_sites', 'installation'];
/** Holds no more than the issues that wait. */
const QUEUE = 'USING COVERING INDEX issues_queue_by_user';
/** Made by a query itself from the issues that wait, see `queue-order.ts`. */
const derivedTables = ['waiting', 'ranked', 'line', '(subquery-'];

const isStatement = (text: string) => /^(with|select|insert|update|delete)\b/.test(text);
const isScan = (step: string) => /^SCAN (?!\d+-ROW VALUES)/.test(step);
const isShort = (step: string) =>
  step.endsWith(QUEUE) || [...smallTables, ...derivedTables].some((table) => step.startsWith(`SCAN ${table}`));
/** Ends after the first rows, in the order of the table or of an index. */
const isFirstPage = (text: string) => / limit \?$/.test(text) && !withoutParts(text).includes(' where ');

/** The text without what is in brackets: its own clauses. */
function withoutParts(text: string): string {
  const outer = text.replaceAll(/\([^()]*\)/g, '');
  return outer === text ? text : withoutParts(outer);
}

/** The steps of SQLite's plan for a statement that read all rows of a table that grows. */
export function planFaults(database: Sqlite.Database, text: string): string[] {
  if (!isStatement(text)) return [];
  const values = Array.from({ length: text.split('?').length - 1 }, () => null);
  const found = database.prepare(`explain query plan ${text}`).all(...values) as { detail: string }[];
  const steps = found.map(({ detail }) => detail);
  return steps.filter((step) => isScan(step) && !isShort(step) && !isFirstPage(text));
}
