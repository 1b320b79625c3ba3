import type Sqlite from 'better-sqlite3';

/** Tables with a row for each pipeline, version, table or process: read as a whole wherever they are read. */
const smallTables = [
  'slots',
  'migrations',
  'sqlite_schema',
  'sqlite_sequence',
  'sqlite_stat1',
  'sqlite_stat4',
  'codehost_sites',
  'installation',
  'workers',
];
/** These hold no more than the issues that wait, for a slot or for their repository. */
const QUEUES = ['USING COVERING INDEX issues_queue_by_user', 'INDEX issues_waiting_for_repo'];
/** Read by operators page by page in its order, without the few that are revoked or were used. */
const PAGES = ['SCAN api_tokens USING INDEX', 'SCAN invitations USING INDEX'];
/**
 * Made by a query itself from the issues that wait, see `queue-order.ts`, or from one page, slice or pull request, see `list-issues.ts` and
 * `outcome-counts.ts`, or of statuses.
 */
const derivedTables = ['waiting', 'ranked', 'line', '(subquery-', 'examined', 'prices', 'list', 'counted'];
/**
 * Indexes that match few rows, which are then sorted: of slots, of the members of a repository, of users who wait or
 * spent in a month, of one user's sessions, or one.
 */
const foundFew = [
  'spending_1 (month=? AND kind=?)',
  'SEARCH repo_members',
  '(slot>?)',
  'SCAN waiting',
  'sessions_user',
  '(email_key=?)',
  'repos_removed',
];
/** Tables of which each user and each repository has a history that grows. */
const histories = ['issues', 'own', 'events', 'audit_entries'];

const isStatement = (text: string) => /^(with|select|insert|update|delete)\b/.test(text);
const isScan = (step: string) => /^SCAN (?!\d+(-ROW VALUES| CONSTANT ROWS))/.test(step);
const isShort = (step: string) =>
  QUEUES.some((index) => step.endsWith(index)) ||
  PAGES.some((page) => step.startsWith(page)) ||
  [...smallTables, ...derivedTables].some((table) => step.startsWith(`SCAN ${table}`));
/** Ends after the first rows, in the order of the table or of an index. */
const isFirstPage = (text: string) => / limit \+?\?$/.test(text) && !withoutParts(text).includes(' where ');
/** All that somebody or a repository ever had, instead of a range of it: a scan in disguise. */
const isHistory = (step: string) =>
  histories.some((table) => new RegExp(`^SEARCH ${table} .*\\((user_id|repo_id)=\\?\\)( LEFT-JOIN)?$`).test(step));
/** A range of somebody's issues, which a status that few of them have makes as long as their whole history. */
const isOfAnyStatus = (step: string, text: string) =>
  /^SEARCH issues .*\((user_id|repo_id)=\? AND ordinal[<>]\?\)$/.test(step) && /"status" (=|in) /.test(text);
/** The newest of them alone is read: by `max`, or in a part of the statement that ends with it. */
const isNewest = (step: string, text: string) =>
  step.includes('issues_by_user_start') ||
  (step.includes('audit_entries_by_user') && /order by "audit_entries"\."ordinal" desc limit \+?\?\)/.test(text));
/** Rows up to a limit, which may be counted alone. */
const isPage = (text: string) => / order by [^()]* limit \+?\?(\) "counted")?$/.test(text);
/** Looks at each row of a history to count those that match: the limit ends it only where many do. */
const countsByLooking = (step: string, text: string) =>
  text.endsWith(') "counted"') && isHistory(step) && !step.includes(' COVERING ');
/** Foreign keys: of a user or a repository that has just been inserted, or of which nothing is left. */
const isOfOwner = (text: string) => /^(insert into|delete from) "(users|repos)"/.test(text);

/** All rows without a value, by an index of those that have one: nearly all rows. */
function isOfNulls(step: string, text: string): boolean {
  const [, column] = /^SEARCH .*\((\w+)=\?\)$/.exec(step) ?? [];
  return column !== undefined && text.includes(`"${column}" is null`);
}

/** The steps of a plan, in their order. */
export function stepsOf(database: Sqlite.Database, text: string): string[] {
  return isStatement(text) ? planOf(database, text).map(({ detail }) => detail) : [];
}

function planOf(database: Sqlite.Database, text: string) {
  const values = Array.from({ length: text.split('?').length - 1 }, () => null);
  return database.prepare(`explain query plan ${text}`).all(...values) as { parent: number; detail: string }[];
}

/** The text without what is in brackets: its own clauses. */
function withoutParts(text: string): string {
  const outer = text.replaceAll(/\([^()]*\)/g, '');
  return outer === text ? text : withoutParts(outer);
}

/**
 * The steps of SQLite's plan for a statement that read more than a range of an index: all rows of a table that grows,
 * the whole history of a user, what is of another status, or everything that matches in order to sort it.
 */
export function planFaults(database: Sqlite.Database, text: string): string[] {
  if (!isStatement(text)) return [];
  const plan = planOf(database, text);
  const steps = plan.map(({ detail }) => detail);
  // The steps of a part of the statement have another parent.
  const sort = plan.find(({ parent, detail }) => parent === 0 && detail === 'USE TEMP B-TREE FOR ORDER BY');
  const sortsMany =
    sort !== undefined && isPage(text) && !steps.some((step) => foundFew.some((few) => step.includes(few)));
  const readsHistory = (step: string) =>
    isHistory(step) && !isNewest(step, text) && (sort !== undefined || !isPage(text));
  return [
    ...steps.filter((step) => isScan(step) && !isShort(step) && !isFirstPage(text)),
    ...steps.filter((step) => isOfNulls(step, text)),
    ...steps.filter((step) => isOfAnyStatus(step, text)),
    ...steps.filter((step) => countsByLooking(step, text)),
    ...steps.filter((step) => readsHistory(step) && !isOfOwner(text)),
    ...(sortsMany ? [sort.detail] : []),
  ];
}
