import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type IssueStatus,
  type IssueTrigger,
  isActive,
  isOpenForDecision,
  isPending,
  isRunnable,
  issueMachine,
  issueStatuses,
  isTerminal,
  mayHoldSlot,
  needsSlot,
  nextStatus,
  statusesWhere,
} from './issue-machine.ts';

const triggers = [
  ...new Set(issueStatuses.flatMap((status) => Object.keys(issueMachine[status].on))),
] as IssueTrigger[];
const anyStatus = fc.constantFrom(...issueStatuses);
const anyTrigger = fc.constantFrom(...triggers);

function reachable(from: IssueStatus): Set<IssueStatus> {
  const seen = new Set([from]);
  for (const status of seen) {
    for (const trigger of triggers) {
      const next = nextStatus(status, trigger);
      if (next !== null) seen.add(next);
    }
  }
  return seen;
}

describe('the issue machine', () => {
  it('answers every trigger in every status with its own cell, or with null where it has none', () => {
    fc.assert(
      fc.property(anyStatus, anyTrigger, (status, trigger) => {
        const cells: Record<string, string> = issueMachine[status].on;
        const next = nextStatus(status, trigger);
        expect(next).toBe(Object.hasOwn(cells, trigger) ? cells[trigger] : null);
        if (next !== null) expect(issueStatuses).toContain(next);
      }),
    );
  });

  it.each(['toString', 'constructor', '__proto__', 'hasOwnProperty'])('knows no trigger called %s', (name) => {
    for (const status of issueStatuses) expect(nextStatus(status, name as IssueTrigger)).toBeNull();
  });

  it.each(issueStatuses)('leads from %s to an end', (status) => {
    expect([...reachable(status)].some(isTerminal)).toBe(true);
  });

  it('reaches every status from a new issue', () => {
    expect([...reachable('pending')].sort()).toEqual([...issueStatuses].sort());
  });

  it('has no way out of an end, but for the retry of a failed issue', () => {
    const ways = statusesWhere(isTerminal).map((status) => [status, issueMachine[status].on]);
    expect(Object.fromEntries(ways)).toEqual({
      completed: {},
      rejected: {},
      failed: { retried: 'pending' },
      cancelled: {},
    });
  });

  it('lets every issue that has not ended be cancelled, and no other', () => {
    for (const status of issueStatuses) {
      expect(nextStatus(status, 'cancelled')).toBe(isTerminal(status) ? null : 'cancelled');
    }
  });

  it('gives a slot by admission alone and keeps it until the end, to the gate, or while there is budget', () => {
    fc.assert(
      fc.property(anyStatus, anyTrigger, (status, trigger) => {
        const next = nextStatus(status, trigger);
        if (next === null) return;
        if (!mayHoldSlot(status) && mayHoldSlot(next)) expect(trigger).toBe('admitted');
        if (needsSlot(status) && !mayHoldSlot(next) && trigger !== 'budget_exhausted') {
          expect(isTerminal(next)).toBe(true);
        }
        if (mayHoldSlot(status) && !mayHoldSlot(next) && !isTerminal(next)) {
          expect(`${status} ${trigger}`).toMatch(
            /^(awaiting_approval (plan|publication)_decided_without_slot|running budget_exhausted)$/,
          );
        }
      }),
    );
  });

  it('never calls an ended issue active, runnable, pending or open for a decision', () => {
    for (const status of statusesWhere(isTerminal)) {
      expect(isActive({ status, queuedAt: new Date() })).toBe(false);
      expect([isRunnable(status), isPending(status), isOpenForDecision(status), mayHoldSlot(status)]).not.toContain(
        true,
      );
    }
  });

  it('counts a pending issue as active once it is queued', () => {
    expect(isActive({ status: 'pending', queuedAt: null })).toBe(false);
    expect(isActive({ status: 'pending', queuedAt: new Date() })).toBe(true);
    for (const status of statusesWhere(mayHoldSlot)) expect(isActive({ status, queuedAt: null })).toBe(true);
  });

  it('takes a decision only where it has a cell for each of the three', () => {
    for (const status of issueStatuses) {
      const decisions = (['plan_approved', 'guidance_given', 'plan_rejected'] as const).map((one) =>
        nextStatus(status, one),
      );
      expect(decisions).toEqual(isOpenForDecision(status) ? ['running', 'running', 'rejected'] : [null, null, null]);
    }
  });

  it('ends, whatever happens, no later than somebody cancels', () => {
    fc.assert(
      fc.property(fc.array(anyTrigger, { maxLength: 50 }), (happened) => {
        const at = happened.reduce<IssueStatus>((status, trigger) => nextStatus(status, trigger) ?? status, 'pending');
        expect(isTerminal(nextStatus(at, 'cancelled') ?? at)).toBe(true);
      }),
    );
  });
});
