import type { AppRouter } from '@sluice/api';
import type { inferRouterOutputs } from '@trpc/server';
import type { SluiceClient } from './create-sluice-client.ts';

type Streamed<T> = T extends AsyncIterable<infer Envelope extends { data: unknown }> ? Envelope['data'] : never;

/** A written event of an issue, or live text of it. */
export type WatchedEvent = Streamed<inferRouterOutputs<AppRouter>['issues']['events']>;

/**
 * The events of an issue: those that there are, then the new ones as they come, and live text between them. Ends
 * after the event that ends the issue. A dropped connection is taken up again after the last event that was seen.
 *
 * @throws what the server refused the stream with, or the signal's reason (at once: what still waits is not given)
 */
export async function* watchIssue(
  client: Pick<SluiceClient, 'issues'>,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<WatchedEvent, void> {
  signal.throwIfAborted();
  const waiting: WatchedEvent[] = [];
  let end: { failure?: unknown } | null = null;
  let wake: () => void = () => {};
  const finish = (how: { failure?: unknown }) => {
    end ??= how;
    wake();
  };
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort, { once: true });
  const subscription = client.issues.events.subscribe(
    { id },
    {
      onData(envelope) {
        waiting.push(envelope.data);
        wake();
      },
      onError: (failure) => finish({ failure }),
      onComplete: () => finish({}),
    },
  );
  const hasEnded = () => end;
  try {
    for (;;) {
      signal.throwIfAborted();
      const event = waiting.shift();
      if (event !== undefined) {
        yield event;
        continue;
      }
      const ended = hasEnded();
      if (ended === null) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else if ('failure' in ended) throw ended.failure;
      else return;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    subscription.unsubscribe();
  }
}
