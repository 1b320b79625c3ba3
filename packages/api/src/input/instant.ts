import * as z from 'zod';

const error = 'must be a time with its offset, such as 2026-07-15T09:00:00Z';

// Postgres knows no year 0, and reads none with more than four digits.
const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** A time in a request. With an offset too, as `format: date-time` says: Python writes `+00:00` for UTC. */
export const instant = z.iso.datetime({ offset: true, error }).refine(
  (text) => {
    const at = Date.parse(text);
    return at >= FIRST && at <= LAST;
  },
  { error },
);
