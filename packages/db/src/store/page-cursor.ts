import { crc32 } from 'node:zlib';
import { AppError } from '@sluice/core/error';
import type { Page, PageRequest } from '@sluice/core/request';

/** The paged lists. A cursor is valid for its own list only. */
type ListName = 'issues' | 'oldest_issues' | 'repos' | 'all_repos' | 'audit' | 'failed_logins' | 'deliveries';

/**
 * The position after which a page begins, or null for the first page. Lists are ordered by their identity column,
 * newest first, so a page is a range of one index despite concurrent writes.
 *
 * @throws AppError `cursor_invalid` for a cursor that `pageOf` did not create for that list
 */
export function parseCursor(list: ListName, cursor: string | null): number | null {
  if (cursor === null) return null;
  const ordinal = Number(Buffer.from(cursor, 'base64url').toString().split(':')[1]);
  if (!Number.isSafeInteger(ordinal) || ordinal < 1 || cursorAt(list, ordinal) !== cursor) {
    throw new AppError('cursor_invalid');
  }
  return ordinal;
}

/** A page of `rows`. One row more than the limit was read to see whether there is a next page. */
export function pageOf<Row extends { ordinal: number }, Item>(
  rows: readonly Row[],
  page: PageRequest & { list: ListName },
  toItem: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  return {
    items: shown.map(toItem),
    nextCursor: rows.length > page.limit && last !== undefined ? cursorAt(page.list, last.ordinal) : null,
  };
}

/** The cursor of the page below an ordinal. The checksum detects a mangled one that would otherwise name another row. */
export function cursorAt(list: ListName, ordinal: number): string {
  const place = `${list}:${ordinal}`;
  return Buffer.from(`${place}:${crc32(place).toString(36)}`).toString('base64url');
}
