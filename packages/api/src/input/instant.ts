import * as z from 'zod';

/** A time in a query. With an offset too, as `format: date-time` says: Python writes `+00:00` for UTC. */
export const instant = z.iso.datetime({
  offset: true,
  error: 'must be a time with its offset, such as 2026-07-15T09:00:00Z',
});
