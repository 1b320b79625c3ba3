import { z } from 'zod';

/** How far one list has been looked at: the ETag of its first page, and the time of the newest entry on it. */
const seen = z.object({ etag: z.string().nullable(), until: z.iso.datetime().nullable() });
export type Seen = z.output<typeof seen>;

const cursorShape = z.object({ v: z.literal(1), issues: seen, changes: seen, lines: seen });
export type ChangeCursor = Omit<z.output<typeof cursorShape>, 'v'>;

export function writeCursor(cursor: ChangeCursor): string {
  return Buffer.from(JSON.stringify({ v: 1, ...cursor })).toString('base64url');
}

/** Null for one that cannot be read, e.g. of another version: the next look is a first one. */
export function readCursor(text: string | null): ChangeCursor | null {
  if (text === null) return null;
  try {
    return cursorShape.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data ?? null;
  } catch {
    return null;
  }
}
