import { setTimeout as sleep } from 'node:timers/promises';
import type { Decision, SluiceClient } from '@sluice/client';
import type { GateWire, IssueWire } from '@sluice/core/issue';
import { askDecision } from './ask-decision.ts';

const POLL_MS = 1_000;

export const DECIDED_ELSEWHERE = 'decided elsewhere';

/**
 * Asks the user for a decision at the gate.
 *
 * @returns null when the user decides later, `DECIDED_ELSEWHERE` when somebody else did before they answered
 */
export async function askUnlessDecided(
  client: Pick<SluiceClient, 'issues'>,
  seen: Pick<IssueWire, 'id' | 'status'> & { readonly gate: GateWire },
  signal: AbortSignal,
): Promise<Decision | typeof DECIDED_ELSEWHERE | null> {
  const decided = new AbortController();
  const answered = new AbortController();
  const watching = untilDecided(client, seen, AbortSignal.any([signal, answered.signal])).then(
    () => decided.abort(),
    () => undefined, // the user has answered, or interrupted
  );
  try {
    return await askDecision(seen.gate, AbortSignal.any([signal, decided.signal]));
  } catch (error) {
    if (decided.signal.aborted && !signal.aborted) return DECIDED_ELSEWHERE;
    throw error;
  } finally {
    answered.abort();
    await watching;
  }
}

async function untilDecided(
  client: Pick<SluiceClient, 'issues'>,
  { id, status, gate }: Pick<IssueWire, 'id' | 'status'> & { readonly gate: GateWire },
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    await sleep(POLL_MS, undefined, { signal });
    // While the server is unreachable, no decision can be made.
    const now = await client.issues.get.query({ id }, { signal }).catch(() => null);
    if (now !== null && (now.status !== status || now.gate?.revision !== gate.revision)) return;
  }
}
