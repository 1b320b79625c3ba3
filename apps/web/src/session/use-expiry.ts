import { isSluiceError } from '@sluice/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { profileQuery } from './queries.ts';

/**
 * Leads to the login when a request that is no query of the cache was refused because the session has ended: a read by the
 * cache is refused too, and the cache knows what to do.
 */
export function useExpiry(error: unknown): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (isSluiceError(error, 'session_missing')) void queries.invalidateQueries(profileQuery);
  }, [queries, error]);
}
