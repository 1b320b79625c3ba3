import { issueWire, MOST_COUNTED_ISSUES } from '@sluice/core/issue';
import * as z from 'zod';
import { pageWire } from '../input/page-query.ts';

/** A page of a list that can tell how long it is. */
export function countedPage<T extends z.ZodType>(item: T) {
  return pageWire(item).extend({
    total: z
      .int()
      .min(0)
      .nullable()
      .optional()
      .describe(
        `With \`total=true\`: how many issues all pages have, counted up to ${MOST_COUNTED_ISSUES}. Null with \`q\`, \`label\`, \`origin\` or a time, which are not counted.`,
      ),
  });
}

export const issuePageWire = countedPage(issueWire);
