import { isSluiceError } from '@sluice/client';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../session/client.ts';

const REFRESH_MS = 5_000; // a worker that stops is seen after a minute and a half anyway

/** The server's current work. It is read again every five seconds while the page is visible. */
export const overviewQuery = queryOptions({
  queryKey: ['admin'],
  queryFn: ({ signal }) => client.admin.overview.query(undefined, { signal }),
  refetchInterval: ({ state }) => (isSluiceError(state.error, 'operator_required') ? false : REFRESH_MS),
});

export type Overview = Awaited<ReturnType<typeof client.admin.overview.query>>;
export type Slot = Overview['slots'][number];
export type Worker = Overview['workers'][number];
