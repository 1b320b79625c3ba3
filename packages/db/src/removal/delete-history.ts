import type { IssueId } from '@sluice/core/id';
import { type Column, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Tables } from '../schema/schema.ts';
import { type GivenList, isAmong, listsOf } from '../store/given-list.ts';
import { type Given, type Handle, prepared } from '../store/prepared.ts';
import type { Write } from '../store/store-context.ts';

/**
 * The rows that may still be deleted in this transaction: a row counts for one, and for one more for each of these
 * bytes.
 */
export interface Piece {
  left: number;
}
/** SQLite frees two pages of a long value in the time of a row. A piece of 2,000 is so 16 MiB at most, or one row. */
const BYTES_AS_A_ROW = 8 * 1024;

interface Kind {
  readonly table: PgTable & { readonly issueId: Column };
  /** By which its rows are told apart. */
  readonly key: readonly Column[];
  /** The one that can be long. */
  readonly wide: Column;
}

/** The tables in which an issue can have many rows, or large ones. */
const kinds: readonly ((tables: Tables) => Kind)[] = [
  ({ events }) => ({ table: events, key: [events.ordinal], wide: events.data }),
  ({ journalEntries: of }) => ({ table: of, key: [of.ordinal], wide: of.entry }),
  ({ steps }) => ({ table: steps, key: [steps.ordinal], wide: steps.detail }),
  ({ commandLog: of }) => ({ table: of, key: [of.issueId, of.seq], wide: of.text }),
  ({ attachments: of }) => ({ table: of, key: [of.issueId, of.ordinal], wide: of.content }),
  ({ patches }) => ({ table: patches, key: [patches.issueId], wide: patches.diff }),
  ({ checkpoints: of }) => ({ table: of, key: [of.issueId, of.kind], wide: of.patch }),
];

/** The deleted rows. */
interface Deleted {
  readonly rows: number;
  /** The cost of these rows. */
  readonly cost: number;
}

/**
 * Deletes rows as far as a piece goes, and one at least. They are counted before: SQLite reads every column of a row that
 * `returning` follows, and without it frees a long value unread.
 *
 * @param which selects them
 */
export function deletionOf<Values extends object>(
  kindOf: (tables: Tables) => Kind,
  which: (on: Handle, given: Given<Values>) => SQL | undefined,
): (on: Handle, values: Values & Piece) => Promise<Deleted> {
  const count = prepared((on, given: Given<Values & Piece>) => {
    const [rows, cost] = [sql`count(*)`.mapWith(Number), sql`coalesce(sum(cost), 0)`.mapWith(Number)];
    return on.db.select({ rows, cost }).from(pieceOf(on, given));
  });
  const deletePiece = prepared((on, given: Given<Values & Piece>) => {
    const { table, key } = kindOf(on.context.database.tables);
    return on.db.delete(table).where(sql`(${namesOf(key)}) in (select ${namesOf(key)} from ${pieceOf(on, given)})`);
  });

  function pieceOf(on: Handle, given: Given<Values & Piece>): SQL {
    const { table, key, wide } = kindOf(on.context.database.tables);
    const left = (given as Given<Piece>)('left');
    const names = namesOf(key);
    const bytes = on.context.database.bytesOf(wide);
    const cost = sql`1 + coalesce(${bytes}, 0) / ${sql.raw(`${BYTES_AS_A_ROW}`)}`; // of whole numbers
    const found = sql`select ${names}, ${cost} as cost from ${table} where ${which(on, given)} limit ${left}`;
    const summed = sql`select ${names}, cost, sum(cost) over (order by ${names}) as upto from (${found}) as ranked`;
    return sql`(select ${names}, cost from (${summed}) as line where upto - cost < ${left}) as piece`;
  }

  return async (on, values) => {
    const [[counted]] = await Promise.all([count(on, values), deletePiece(on, values)]);
    return counted ?? { rows: 0, cost: 0 };
  };
}

function namesOf(key: readonly Column[]): SQL {
  return sql.join(
    key.map(({ name }) => sql.identifier(name)),
    sql`, `,
  );
}

const deletions = kinds.map((kindOf) =>
  deletionOf(kindOf, (on, given: Given<GivenList<IssueId>>) =>
    isAmong(kindOf(on.context.database.tables).table.issueId, given),
  ),
);

/**
 * Deletes the rows of issues of which there can be many, or large ones, as far as the piece goes.
 *
 * @returns whether none is left
 */
export async function deleteHistory(write: Write, ids: readonly IssueId[], piece: Piece): Promise<boolean> {
  for (const deletion of deletions) {
    for (const list of listsOf(ids)) {
      piece.left -= (await deletion(write, { ...list, ...piece })).cost;
      if (piece.left <= 0) return false;
    }
  }
  return true;
}
