import type { Issue } from './issue.ts';
import { isOpenForDecision } from './issue-machine.ts';
import type { IssueStore } from './issue-store.ts';

/** The interval of reminders about a gate that holds a slot. */
export const GATE_REMINDER_MS = 86_400_000; // a day, so that the approver was at work once in between

/**
 * Writes a daily reminder into the events of an issue that holds a slot at its gate. Of several concurrent processes one
 * writes it. False when none is due.
 */
export async function remindOfGate(context: { issues: IssueStore }, issue: Issue, now: Date): Promise<boolean> {
  const { gate, pipeline, status, lastSeq } = issue;
  if (gate === null || !issue.holdsSlot || !isOpenForDecision(status)) return false;
  const requestedAt = new Date(gate.requested_at).getTime();
  // The last reminder may belong to an earlier gate of the issue.
  const last = Math.max(requestedAt, pipeline.reminded_at === null ? 0 : new Date(pipeline.reminded_at).getTime());
  if (now.getTime() - last < GATE_REMINDER_MS) return false;
  const { kind, requested_at, expires_at } = gate;
  const outcome = await context.issues.apply({
    issueId: issue.id,
    from: { status, lastSeq },
    trigger: 'gate_reminded',
    set: { pipeline: { ...pipeline, reminded_at: now.toISOString() } },
    events: [{ type: 'gate.reminder', data: { kind, requested_at, expires_at } }],
  });
  return outcome.kind === 'applied';
}
