import { setTimeout as sleep } from 'node:timers/promises';
import { input, select } from '@inquirer/prompts';
import type { Decision, SluiceClient } from '@sluice/client';
import type { GateWire, IssueWire } from '@sluice/core/issue';
import type { Gate } from '@sluice/core/pipeline';
import { whyNotToApprove } from '../render/render-approvals.ts';
import { blockerOf } from '../render/render-gate.ts';
import { plainLine } from '../terminal/plain-text.ts';

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

const questions = {
  plan: {
    message: () => 'Approve this plan?',
    approve: 'implement it, run the tests, publish the branch',
    instruct: 'describe what to change and get a new plan',
    reject: 'end the issue; nothing is changed',
  },
  publish: {
    message: (commit: string) => `Publish commit ${commit}?`,
    approve: 'push the branch as it was tested and reviewed',
    instruct: 'describe what to change; the coder continues from here',
    reject: 'end the issue; nothing is pushed',
  },
} as const satisfies Record<Gate['kind'], Record<Decision['action'], string> & { message: (commit: string) => string }>;

const CANNOT_APPROVE = 'This plan cannot be carried out. What now?';

/**
 * Asks the user for a decision at a gate. The prompt goes to stderr, because stdout is for data. A plan that cannot be
 * carried out is not offered for approval, nor is one that somebody else has to approve.
 *
 * @returns null when the user decides later
 */
async function askDecision(gate: GateWire, signal: AbortSignal): Promise<Decision | null> {
  const question = questions[gate.kind];
  const approve = { value: 'approve', name: 'approve', description: question.approve } as const;
  const terminal = { output: process.stderr, signal };
  const others = whyNotToApprove(gate);
  const action = await select(
    {
      message:
        blockerOf(gate) !== null ? CANNOT_APPROVE : (others ?? question.message(plainLine(gate.head_commit ?? ''))),
      choices: [
        ...(blockerOf(gate) === null && others === null ? [approve] : []),
        { value: 'instruct' as const, name: 'instruct', description: question.instruct },
        { value: 'reject' as const, name: 'reject', description: question.reject },
        { value: 'later' as const, name: 'later', description: 'leave it waiting and exit' },
      ],
    },
    terminal,
  );
  if (action === 'later') return null;
  if (action !== 'instruct') return { action };
  const guidance = await input(
    {
      message: 'What should change?',
      validate: (text) =>
        text.trim() === '' ? 'Describe what to change.' : text.length <= 8_000 || 'At most 8,000 characters.',
    },
    terminal,
  );
  return { action, guidance: guidance.trim() };
}
