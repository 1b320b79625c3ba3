interface DecidedGate {
  readonly action: 'approve' | 'reject' | 'instruct';
  /** The subject of the decision: the plan, or the publication of a change. */
  readonly on: 'plan' | 'publish';
  readonly revision: number;
  readonly userId: string;
}

const verbs = { approve: 'approved', reject: 'rejected', instruct: 'gave instructions on' } as const;

/** A decision in words: `You approved revision 2 of the plan`. */
export function decisionWords({ action, on, revision, userId }: DecidedGate, me: string | undefined): string {
  return `${userId === me ? 'You' : 'Another person'} ${verbs[action]} ${gateWords({ on, revision })}`;
}

/** What a decision is on, in words. */
export function gateWords({ on, revision }: Pick<DecidedGate, 'on' | 'revision'>): string {
  return on === 'plan' ? `revision ${revision} of the plan` : 'the change';
}
