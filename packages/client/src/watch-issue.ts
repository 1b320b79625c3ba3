import type { IssueEvent, LiveEvent } from '@sluice/core';
import type { SluiceClient } from './create-sluice-client.ts';

/**
 * The events of an issue: those that there are, then the new ones as they come, and live text between them. Ends
 * after the event that ends the issue. A dropped connection is taken up again after the last event that was seen.
 *
 * @throws what the server refused the stream with, or the signal's reason
 */
export async function* watchIssue(
  client: SluiceClient,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<IssueEvent | LiveEvent, void> {
  signal.throwIfAborted();
  const waiting: (IssueEvent | LiveEvent)[] = [];
  let ended = false;
  let failure: { reason: unknown } | null = null;
  let wake: () => void = () => {};
  const subscription = client.issues.events.subscribe(
    { id },
    {
      onData(envelope) {
        waiting.push(envelope.data as unknown as IssueEvent | LiveEvent);
        wake();
      },
      onError(error) {
        failure = { reason: error };
        wake();
      },
      onComplete() {
        ended = true;
        wake();
      },
    },
  );
  const onAbort = () => {
    failure = { reason: signal.reason };
    wake();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      const event = waiting.shift();
      if (event !== undefined) yield event;
      else if (failure !== null) throw (failure as { reason: unknown }).reason;
      else if (ended) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    subscription.unsubscribe();
  }
}
