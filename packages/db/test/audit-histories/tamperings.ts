import { getTableColumns } from 'drizzle-orm';
import * as tables from '../../src/schema/schema-pg.ts';
import type { OpenHistory } from './open-history.ts';

/** What a tampering can hit. All of it has been sealed. */
export interface SealedHistory extends OpenHistory {
  readonly ordinals: readonly number[];
  readonly seals: readonly number[];
  /** The name of the copies of both tables as they were a few seals ago. */
  readonly old: string;
  /** Copies of both tables as they were sealed last. */
  readonly sealed: string;
}

/** From 0 to 1. */
type Random = () => number;
type Tampering = (history: SealedHistory, random: Random) => Promise<void>;

const some = <T>(from: readonly T[], random: Random): T => from[Math.floor(random() * from.length)] as T;
const twoOf = (from: readonly number[], random: Random): [number, number] => {
  const first = some(from, random);
  return [
    first,
    some(
      from.filter((one) => one !== first),
      random,
    ),
  ];
};

const columnsOf = (table: Parameters<typeof getTableColumns>[0], except: string) =>
  Object.values(getTableColumns(table)).filter(({ name }) => name !== except);
const entryColumns = columnsOf(tables.auditEntries, 'ordinal');
const sealColumns = columnsOf(tables.auditSeals, 'number');

/** Another value of the column, by its type. */
function otherValue(
  { name, type, notNull }: { name: string; type: string; notNull: boolean },
  on: OpenHistory,
  random: Random,
) {
  if (type === 'jsonb')
    return on.engine === 'pg' ? `${name} || '{"more":1}'` : `json_set(${name}, '$.more', ${Math.floor(random() * 9)})`;
  if (type.startsWith('timestamp')) return on.engine === 'pg' ? `${name} + interval '1 millisecond'` : `${name} + 1`;
  if (/^(bigint|integer)$/.test(type)) return `coalesce(${name}, 0) + 1000`;
  if (type === 'boolean') return `not coalesce(${name}, false)`;
  if (!notNull && random() < 0.3) return `case when ${name} is null then 'x' end`;
  return random() < 0.5
    ? `coalesce(${name}, '') || 'x'`
    : `case when ${name} = 'operator' then 'user' else 'operator' end`;
}

const change = async (
  history: SealedHistory,
  at: { table: string; key: string; value: number; columns: typeof entryColumns | typeof sealColumns },
  random: Random,
) => {
  const column = some(at.columns as typeof entryColumns, random);
  const value = otherValue({ name: column.name, type: column.getSQLType(), notNull: column.notNull }, history, random);
  await history.run(`update ${at.table} set ${column.name} = ${value} where ${at.key} = ${at.value}`);
};

const swap = async (
  { run }: SealedHistory,
  { table, key, columns }: { table: string; key: string; columns: typeof entryColumns | typeof sealColumns },
  [one, other]: [number, number],
) => {
  const names = columns.map(({ name }) => name).filter((name) => name !== 'previous_number');
  const set = names.map((name) => `${name} = others.${name}`).join(', ');
  await run(`create table swapped as select * from ${table} where ${key} in (${one}, ${other});
    update ${table} set ${set} from swapped as others
      where ${table}.${key} in (${one}, ${other}) and others.${key} in (${one}, ${other}) and others.${key} <> ${table}.${key};
    drop table swapped;`);
};

export const putBack = (from: string) =>
  ['audit_entries', 'audit_seals']
    .map((table) => `delete from ${table}; insert into ${table} select * from ${from}_${table};`)
    .join(' ');

const last = (from: readonly number[], random: Random) =>
  from.at(-1 - Math.floor(random() * Math.min(from.length, 20))) as number;
const copyOf = (ordinal: number | string, to: string) => {
  const names = entryColumns.map(({ name }) => name).join(', ');
  return `insert into audit_entries (ordinal, ${names}) select ${to}, ${names} from audit_entries where ordinal = ${ordinal};`;
};

/** Each leaves the log other than it was sealed. */
export const tamperings: Readonly<Record<string, Tampering>> = {
  'changes a column of an entry': (history, random) =>
    change(
      history,
      { table: 'audit_entries', key: 'ordinal', value: some(history.ordinals, random), columns: entryColumns },
      random,
    ),
  'deletes some entries': async ({ run, ordinals }, random) => {
    const gone = Array.from({ length: 1 + Math.floor(random() * 4) }, () => some(ordinals, random));
    await run(`delete from audit_entries where ordinal in (${gone.join()})`);
  },
  'deletes the last entries': ({ run, ordinals }, random) =>
    run(`delete from audit_entries where ordinal >= ${last(ordinals, random)}`),
  'cuts off the end of both tables': async ({ run, seals }, random) => {
    const number = last(seals, random);
    await run(`delete from audit_entries where ordinal >= (select from_ordinal from audit_seals where number = ${number});
      delete from audit_seals where number >= ${number};`);
  },
  'cuts off the last seals': ({ run, seals }, random) =>
    run(`delete from audit_seals where number >= ${last(seals, random)}`),
  'swaps two entries': (history, random) =>
    swap(history, { table: 'audit_entries', key: 'ordinal', columns: entryColumns }, twoOf(history.ordinals, random)),
  'inserts an entry into a gap, or before all': async ({ run, ordinals }, random) => {
    const taken = new Set(ordinals);
    const free = Array.from({ length: ordinals.at(-1) ?? 0 }, (_, at) => at - 3).filter((one) => !taken.has(one));
    await run(copyOf(some(ordinals, random), String(some(free, random))));
  },
  'gives an entry another number': async ({ run, ordinals }, random) => {
    const taken = new Set(ordinals);
    const free = Array.from({ length: (ordinals.at(-1) ?? 0) + 9 }, (_, at) => at - 3).filter((one) => !taken.has(one));
    await run(`update audit_entries set ordinal = ${some(free, random)} where ordinal = ${some(ordinals, random)}`);
  },
  'changes a column of a seal': (history, random) =>
    change(
      history,
      { table: 'audit_seals', key: 'number', value: some(history.seals, random), columns: sealColumns },
      random,
    ),
  'deletes a seal': ({ run, seals }, random) => run(`delete from audit_seals where number = ${some(seals, random)}`),
  'deletes a seal and numbers those after it again': async ({ run, seals }, random) => {
    const gone = some(seals, random);
    // By way of negative numbers, so that no two are the same in between.
    await run(`delete from audit_seals where number = ${gone};
      update audit_seals set number = -number, previous_number = -previous_number where number > ${gone};
      update audit_seals set number = -number - 1, previous_number = -previous_number - 1 where number < 0;`);
    if (gone === seals.at(-1)) return;
    await run(`update audit_seals set previous_number = ${gone - 1} where number = ${gone}`);
  },
  'swaps two seals': (history, random) =>
    swap(history, { table: 'audit_seals', key: 'number', columns: sealColumns }, twoOf(history.seals, random)),
  'adds a seal of its own': async ({ run, seals }) => {
    const end = seals.at(-1) ?? 0;
    await run(`insert into audit_seals select number + 1, number, previous, from_ordinal, to_ordinal, entries, total, digest,
      key_id, sealed_at, mac from audit_seals where number = ${end}`);
  },
  'deletes all seals': ({ run }) => run('delete from audit_seals'),
  'deletes everything': ({ run }) => run('delete from audit_seals; delete from audit_entries'),
  'puts an old database back': ({ run, old }) => run(putBack(old)),
};

/** Restores both tables to their state at the last seal. */
export async function undo({ run, sealed }: SealedHistory): Promise<void> {
  await run(putBack(sealed));
}

/** Copies both tables, to be put back. */
export async function keepCopy({ run }: OpenHistory, name: string): Promise<void> {
  for (const table of ['audit_entries', 'audit_seals'])
    await run(`drop table if exists ${name}_${table}; create table ${name}_${table} as select * from ${table};`);
}
