import type { AuditRow, AuditSealStore } from '@sluice/core/audit';
import { asc, desc, getTableColumns, gt, sql } from 'drizzle-orm';
import type { Tables } from '../schema/schema.ts';
import { type Given, type Handle, prepared } from '../store/prepared.ts';
import { preparedInsert } from '../store/prepared-insert.ts';
import { type StoreContext, write } from '../store/store-context.ts';

interface Range {
  readonly after: number;
  readonly limit: number;
}

type SealRow = Tables['auditSeals']['$inferInsert'];

/** The details as text: what is no JSON any more must not prevent the rest from being read. */
const selectEntries = prepared(({ context, db }, given: Given<Range>) => {
  const { auditEntries } = context.database.tables;
  const { ordinal, detail } = auditEntries;
  return db
    .select({ ...getTableColumns(auditEntries), detail: sql<string>`cast(${detail} as text)` })
    .from(auditEntries)
    .where(gt(ordinal, given('after', ordinal)))
    .orderBy(asc(ordinal))
    .limit(given('limit'));
});

const selectSeals = prepared(({ context, db }, given: Given<Range>) => {
  const { auditSeals } = context.database.tables;
  const { number } = auditSeals;
  return db
    .select()
    .from(auditSeals)
    .where(gt(number, given('after', number)))
    .orderBy(asc(number))
    .limit(given('limit'));
});

const selectLast = prepared(({ context, db }) => {
  const { auditSeals } = context.database.tables;
  return db.select().from(auditSeals).orderBy(desc(auditSeals.number)).limit(1);
});

const insertSeal = preparedInsert(
  ({ auditSeals }) => auditSeals,
  ({ context, db }, rows: SealRow[]) => {
    const { auditSeals } = context.database.tables;
    return db.insert(auditSeals).values(rows).onConflictDoNothing().returning({ number: auditSeals.number });
  },
);

// Nothing has a lower number, whatever somebody wrote into the tables.
const FIRST = Number.MIN_SAFE_INTEGER;

/** The seals of the audit log, and its entries as they are sealed. */
export function createAuditSealStore(context: StoreContext): AuditSealStore {
  const reading: Handle = { context, db: context.database.read };
  const names = Object.entries(getTableColumns(context.database.tables.auditEntries)).map(
    ([property, column]) => [property, column.name] as const,
  );
  const toRow = (found: Readonly<Record<string, unknown>>): AuditRow => {
    const values = names.map(([property, name]) => [name, plain(property, found[property])] as const);
    return Object.fromEntries(values) as AuditRow;
  };
  return {
    settled: () => context.database.settledAudit(),
    entries: async ({ after, limit }) => {
      const rows = await selectEntries(reading, { after: after ?? FIRST, limit });
      return rows.map(toRow);
    },
    seals: ({ after, limit }) => selectSeals(reading, { after: after ?? FIRST, limit }),
    last: async () => (await selectLast(reading, {}))[0] ?? null,
    add: async (seal) => (await write(context, (write) => insertSeal(write, [{ ...seal }]))).length > 0,
  };
}

/** A value in its JSON form: times in UTC, the details parsed. */
function plain(property: string, value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'no time' : value.toISOString();
  if (property !== 'detail' || typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return { unreadable: value };
  }
}
