import { isSluiceError } from '@sluice/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isConnectionFault } from './error-text.ts';

const MAX_RETRIES = 3;
/** The browser's "offline" says nothing of a server on this machine, and what waits for it shows no error. */
const ASK_ANYWAY = 'always';

/**
 * The cache of what the server said. A read that got no answer is repeated with backoff; one that the server refused is not.
 *
 * @param onExpired called when a request was refused because the session has ended
 */
export function createQueryClient(onExpired: () => void): QueryClient {
  const notice = (error: unknown) => {
    if (isSluiceError(error, 'session_missing')) onExpired();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: notice }),
    mutationCache: new MutationCache({ onError: notice }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < MAX_RETRIES && isConnectionFault(error),
        staleTime: 5_000,
        networkMode: ASK_ANYWAY,
        refetchOnReconnect: true, // without it, asking anyway turns it off
      },
      mutations: { networkMode: ASK_ANYWAY },
    },
  });
}
