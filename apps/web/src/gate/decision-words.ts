import type { Decided } from '../session/fold-milestones.ts';

const verbs = { approve: 'approved', reject: 'rejected', instruct: 'gave instructions on' } as const;

/** A decision in words: `You approved revision 2 of the plan`. */
export function decisionWords({ action, on, revision, userId }: DecidedGate, me: string | undefined): string {
  const who = userId === me ? 'You' : 'Another person';
  return `${who} ${verbs[action]} ${on === 'plan' ? `revision ${revision} of the plan` : 'the change'}`;
}

type DecidedGate = Pick<Decided, 'action' | 'on' | 'revision' | 'userId'>;

/** The decision on a gate that somebody else took first; undefined while it is not known, and where the gate ended otherwise. */
export function decidedFirst(
  decisions: readonly Decided[],
  {
    kind,
    revision,
    requestedAt,
  }: { readonly kind: Decided['on']; readonly revision: number; readonly requestedAt: string },
): Decided | undefined {
  return decisions.findLast(
    ({ on, revision: decidedOn, at }) =>
      on === kind && decidedOn === revision && Date.parse(at) >= Date.parse(requestedAt),
  );
}
