import type { Page } from '@sluice/core/request';
import * as z from 'zod';
import { queryInteger } from './query-integer.ts';
import { text } from './text.ts';

const DEFAULT_LIMIT = 20;

/** The query members of every list. */
export const pageQuery = {
  limit: queryInteger({ min: 1, max: 100 }).optional().describe(`Items of the page; ${DEFAULT_LIMIT} by default.`),
  cursor: text({ min: 1, max: 500, line: true }).optional().describe('The `next_cursor` of the previous page.'),
};

/** The body of every list, newest first. */
export function pageWire<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), next_cursor: z.string().nullable() });
}

export function toPageRequest(input: { limit?: number | undefined; cursor?: string | undefined }) {
  return { limit: input.limit ?? DEFAULT_LIMIT, cursor: input.cursor ?? null };
}

export function toPageWire<T, W>(page: Page<T>, toWire: (item: T) => W): { items: W[]; next_cursor: string | null } {
  return { items: page.items.map(toWire), next_cursor: page.nextCursor };
}
