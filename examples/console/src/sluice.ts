import type { AppRouter, ErrorData } from '@sluice/client/app-router';
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { createTRPCClient, httpLink, httpSubscriptionLink, splitLink, TRPCClientError } from '@trpc/client';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';

// The page and `/api` have one origin here, so the browser sends the session cookie by itself.
const url = '/api/trpc';

const client = createTRPCClient<AppRouter>({
  links: [
    splitLink({
      condition: ({ type }) => type === 'subscription',
      true: httpSubscriptionLink({ url }),
      false: httpLink({ url }),
    }),
  ],
});

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: logOutWhenExpired }),
  defaultOptions: {
    queries: { retry: (failures, error) => refusalOf(error) === null && failures < 3 },
    mutations: { onError: logOutWhenExpired },
  },
});

export const sluice = createTRPCOptionsProxy<AppRouter>({ client, queryClient });

/** The server's refusal; null when the error is another one, such as a lost connection. */
export function refusalOf(error: unknown): ErrorData['error'] | null {
  if (!(error instanceof TRPCClientError)) return null;
  return (error as TRPCClientError<AppRouter>).data?.error ?? null;
}

/** A session ends by itself or elsewhere, in the middle of anything: the next answer is 401, and the page asks who it is. */
export function logOutWhenExpired(error: unknown): void {
  if (refusalOf(error)?.code !== 'session_missing') return;
  const isLoggedIn = queryClient.getQueryState(sluice.auth.me.queryKey())?.status === 'success';
  if (isLoggedIn) void queryClient.resetQueries(sluice.auth.me.queryFilter());
}
