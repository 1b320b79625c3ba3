import { queryOptions } from '@tanstack/react-query';
import { client } from '../session/client.ts';

/** One repository, with its settings and the state of its index. */
export function repoQuery(id: string) {
  return queryOptions({
    queryKey: ['repo', id],
    queryFn: ({ signal }) => client.repos.get.query({ id }, { signal }),
  });
}
