import type { Repo } from '@sluice/client';
import { useQueryClient } from '@tanstack/react-query';
import { repoQuery, reposQuery } from '../session/queries.ts';

/** Puts a repository as a change has left it in place of what the pages know of it; the list is read again. */
export function useKeepRepo(): (saved: Repo) => void {
  const queries = useQueryClient();
  return (saved) => {
    queries.setQueryData(repoQuery(saved.id).queryKey, saved);
    void queries.invalidateQueries({ queryKey: reposQuery.queryKey });
  };
}
