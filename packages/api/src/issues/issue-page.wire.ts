import { filteredFields, issueWire, MAX_COUNTED_ISSUES } from '@sluice/core/issue';
import * as z from 'zod';
import { pageWire } from '../input/page-query.ts';

/** The parameters that no index answers, for prose. */
export const searchParameters = `${['q', 'label', ...filteredFields].map((name) => `\`${name}\``).join(', ')} or a time`;

/** A page of a list that can tell how long it is. */
export function countedPage<T extends z.ZodType>(item: T) {
  return pageWire(item).extend({
    total: z
      .int()
      .min(0)
      .nullable()
      .optional()
      .describe(
        `With \`total=true\`: how many issues all pages have, counted up to ${MAX_COUNTED_ISSUES}. Null with ${searchParameters}, which are not counted.`,
      ),
  });
}

export const issuePageWire = countedPage(issueWire);
