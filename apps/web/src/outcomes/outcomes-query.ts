import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client } from '../session/client.ts';
import type { OutcomesSearch } from '../session/search-params.ts';
import { outcomesQuestion } from './outcomes-question.ts';

export function outcomesQuery(search: OutcomesSearch) {
  return queryOptions({
    queryKey: ['outcomes', search],
    queryFn: ({ signal }) => client.outcomes.read.query(outcomesQuestion(search, new Date()), { signal }),
    placeholderData: keepPreviousData,
  });
}
