import { AppError } from '@sluice/core/error';
import { isId } from '@sluice/core/id';
import type { Page, PageRequest } from '@sluice/core/request';

/** Lists ordered by id. UUIDv7 ids ascend with time, and these tables have no other number. */
type ListName = 'invitations' | 'sessions' | 'tokens' | 'users';

/**
 * The id before which a page begins, or null for the first page.
 *
 * @throws AppError `cursor_invalid` for a cursor that `idPageOf` did not create for that list
 */
export function parseIdCursor<Id extends string>(list: ListName, cursor: string | null): Id | null {
  if (cursor === null) return null;
  const id = Buffer.from(cursor, 'base64url').toString().split(':')[1] ?? '';
  if (!isId(id) || cursorAt(list, id) !== cursor) throw new AppError('cursor_invalid');
  return id as Id;
}

/** A page of `rows`. One row more than the limit was read to see whether there is a next page. */
export function idPageOf<Row extends { id: string }>(
  rows: readonly Row[],
  { limit, list }: PageRequest & { list: ListName },
): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? cursorAt(list, last.id) : null };
}

function cursorAt(list: ListName, id: string): string {
  return Buffer.from(`${list}:${id}`).toString('base64url');
}
