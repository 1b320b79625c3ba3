import { queryInteger } from './query-integer.ts';

const PER_PAGE = 30; // the code host's default

/** The query members of lists that come from the code host page by page. */
export const pageNumber = {
  page: queryInteger({ min: 1, max: 10_000 }).optional().describe('From 1; the `next_page` of the previous page.'),
  per_page: queryInteger({ min: 1, max: 100 }).optional().describe(`Items of the page; ${PER_PAGE} by default.`),
};

export function toHostedPage(input: { page?: number | undefined; per_page?: number | undefined }) {
  return { page: input.page ?? 1, perPage: input.per_page ?? PER_PAGE };
}
