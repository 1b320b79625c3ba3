import { Client, Connection } from 'pg';

/** A statement as Postgres ran it. */
export interface Ran {
  readonly text: string;
  /** Rows that it returned or changed. */
  readonly answered: number;
  /** It is prepared under a name, so that Postgres may come to run it by a plan for all values. */
  readonly isNamed: boolean;
  /** The rows that the largest scan of a table or an index read, with those that a filter then dropped. */
  readonly read: number;
}

/** A step of a plan, as `explain (analyze, format json)` shows it; of each count the mean of its loops. */
interface Step {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Step[];
}

/** Scans of stored rows. Other steps read the rows of a step below them. */
const scans = ['Seq Scan', 'Index Scan', 'Index Only Scan', 'Bitmap Heap Scan', 'Tid Scan', 'Tid Range Scan'];

/** Makes Postgres report the plan of each statement of later connections to the client that sent it. */
export async function reportPlans(url: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
  };
  for (const [setting, value] of Object.entries(settings)) {
    await client.query(`alter database "${rows[0]?.name}" set ${setting} = '${value}'`);
  }
  await client.end();
}

/** The statements of this process that Postgres has reported since; see `reportPlans`. */
export function listenToPlans(): { taken(): Ran[] } & Disposable {
  let ran: Ran[] = [];
  const named = new Set<string>();
  const { emit, parse } = Connection.prototype;
  Connection.prototype.parse = function (this: Connection, query, ...more) {
    if (query.name) named.add(query.text);
    return parse.call(this, query, ...more);
  };
  Connection.prototype.emit = function (this: Connection, event: string | symbol, ...values: unknown[]) {
    const [{ message = '' } = {}] = values as { message?: string }[];
    if (event === 'notice' && message.includes('plan:\n')) ran.push(toRan(message, named));
    return emit.call(this, event, ...values);
  };
  return {
    taken: () => {
      const taken = ran;
      ran = [];
      return taken;
    },
    [Symbol.dispose]: () => {
      Object.assign(Connection.prototype, { emit, parse });
    },
  };
}

function toRan(message: string, named: ReadonlySet<string>): Ran {
  const { 'Query Text': text, Plan: plan } = JSON.parse(message.slice(message.indexOf('{'))) as {
    'Query Text': string;
    Plan: Step;
  };
  // A write that returns nothing has the rows in the step below.
  const answered = Math.max(plan['Actual Rows'], plan.Plans?.[0]?.['Actual Rows'] ?? 0);
  return {
    text,
    isNamed: named.has(text),
    answered: isWrite(plan) ? answered : plan['Actual Rows'],
    read: mostRead(plan),
  };
}

function isWrite({ 'Node Type': type }: Step): boolean {
  return type === 'ModifyTable';
}

function mostRead(step: Step): number {
  const below = (step.Plans ?? []).map(mostRead);
  if (!scans.includes(step['Node Type'])) return Math.max(0, ...below);
  const dropped = (step['Rows Removed by Filter'] ?? 0) + (step['Rows Removed by Index Recheck'] ?? 0);
  return Math.max((step['Actual Rows'] + dropped) * step['Actual Loops'], ...below);
}
