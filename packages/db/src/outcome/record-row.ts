import { type BuildNews, buildNewsSchema } from '@sluice/core/code-host';
import type { ChangeRequestKey, ChangeRequestRecord, CloseAnswer } from '@sluice/core/outcome';
import { and, eq, getTableColumns } from 'drizzle-orm';
import type { Db } from '../schema/kit.ts';
import type { Tables } from '../schema/schema.ts';
import { type Given, prepared } from '../store/prepared.ts';
import { preparedInsert } from '../store/prepared-insert.ts';
import type { StoreContext, Write } from '../store/store-context.ts';

type Row = Tables['changeRequests']['$inferSelect'];

const findRow = prepared(({ context, db }, given: Given<ChangeRequestKey>) => {
  const { changeRequests: of } = context.database.tables;
  return db
    .select()
    .from(of)
    .where(and(eq(of.repoId, given('repoId', of.repoId)), eq(of.number, given('number', of.number))));
});

/** The record as `db` sees it. */
export async function readRecord(
  context: StoreContext,
  db: Db,
  { repoId, number }: ChangeRequestKey,
): Promise<ChangeRequestRecord | null> {
  const [row] = await findRow({ context, db }, { repoId, number });
  return row === undefined ? null : toRecord(row);
}

const insertRow = preparedInsert(
  ({ changeRequests }) => changeRequests,
  ({ context, db }, rows: Row[]) =>
    db.insert(context.database.tables.changeRequests).values(rows).onConflictDoNothing(),
);

/** Adds the record, unless it is there. */
export async function insertRecord(write: Write, record: ChangeRequestRecord): Promise<void> {
  await insertRow(write, [toRow(record, write.now)]);
}

const updateRow = prepared(({ context, db }, given: Given<Row>) => {
  const { changeRequests: of } = context.database.tables;
  const { repoId, number, ...columns } = getTableColumns(of);
  const set = Object.entries(columns).map(([name, column]) => [name, given(name as keyof Row, column)]);
  return db
    .update(of)
    .set(Object.fromEntries(set))
    .where(and(eq(repoId, given('repoId', repoId)), eq(number, given('number', number))));
});

export async function updateRecord(write: Write, record: ChangeRequestRecord): Promise<void> {
  await updateRow(write, toRow(record, write.now));
}

function toRow({ closeAnswer, models, ...record }: ChangeRequestRecord, updatedAt: Date): Row {
  return {
    ...record,
    models: [...models],
    closeReason: closeAnswer?.reason ?? null,
    closeNote: closeAnswer?.note ?? null,
    closeAnsweredBy: closeAnswer?.userId ?? null,
    closeAnsweredAt: closeAnswer?.at ?? null,
    updatedAt,
  };
}

export function toRecord(row: Row): ChangeRequestRecord {
  const { closeReason, closeNote, closeAnsweredBy, closeAnsweredAt, updatedAt, ...record } = row;
  return {
    ...record,
    // The models that the migration took over are in the order in which they worked.
    models: [...row.models].sort(),
    build: buildOf(row),
    closeAnswer: closeAnswerOf(row),
  };
}

/** The build, with its members in the order of the schema: Postgres keeps another. */
function buildOf({ build }: Row): BuildNews | null {
  return build === null ? null : buildNewsSchema.parse(build);
}

function closeAnswerOf({ closeReason, closeNote, closeAnsweredBy, closeAnsweredAt }: Row): CloseAnswer | null {
  if (closeReason === null || closeAnsweredBy === null || closeAnsweredAt === null) return null;
  return { reason: closeReason, note: closeNote, userId: closeAnsweredBy, at: closeAnsweredAt };
}
