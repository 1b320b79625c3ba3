import type { Delivery, NotificationTarget } from '@sluice/client';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { client } from '../session/client.ts';
import { queryKeys } from '../session/query-keys.ts';

export const targetsQuery = queryOptions({
  queryKey: queryKeys.notifications,
  queryFn: async ({ signal }) => (await client.notifications.list.query(undefined, { signal })).items,
});

/** Reads the targets, their deliveries and the audit log again after a change. */
export function useTargetsChanged(): () => void {
  const queries = useQueryClient();
  return () => {
    for (const queryKey of [queryKeys.notifications, queryKeys.audit]) void queries.invalidateQueries({ queryKey });
  };
}

const ASK_EVERY_MS = 500;
const WAIT_MS = 25_000; // the server gives a receiver 15 s

/** Sends a test, and waits until its first attempt has ended; if that takes too long, it is returned as it is. */
export async function testTarget({ id }: NotificationTarget): Promise<Delivery> {
  const sent = await client.notifications.test.mutate({ id });
  const end = performance.now() + WAIT_MS;
  for (let delivery = sent; ; ) {
    if (delivery.next_attempt_at === null || delivery.last_error !== null || performance.now() > end) return delivery;
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
    const { items } = await client.notifications.deliveries.query({ id });
    delivery = items.find((one) => one.id === sent.id) ?? delivery;
  }
}
