import type { Delivery, NotificationTarget } from '@sluice/client';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { client } from '../session/client.ts';
import { queryKeys } from '../session/query-keys.ts';

export const targetsQuery = queryOptions({
  queryKey: queryKeys.notifications,
  queryFn: async ({ signal }) => (await client.notifications.list.query(undefined, { signal })).items,
});

/**
 * Reads the targets, their deliveries and the audit log again after a change. Done once the targets are there: a switch that
 * waits for it does not jump back meanwhile.
 */
export function useTargetsChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    void queries.invalidateQueries({ queryKey: queryKeys.audit });
    await queries.invalidateQueries({ queryKey: queryKeys.notifications });
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
