import { queryInteger } from './query-integer.ts';

const PER_PAGE = 30; // as the code host does where nobody says

/** The query members of lists that are the code host's own, page by page. */
export const pageNumber = {
  page: queryInteger({ min: 1, max: 10_000 }).optional().describe('From 1; `next_page` of the page before.'),
  per_page: queryInteger({ min: 1, max: 100 }).optional().describe(`${PER_PAGE} unless told otherwise.`),
};

export function toHostedPage(input: { page?: number | undefined; per_page?: number | undefined }) {
  return { page: input.page ?? 1, perPage: input.per_page ?? PER_PAGE };
}
