import type { Decided } from '../events/fold-milestones.ts';

interface SeenGate {
  readonly kind: Decided['on'];
  readonly revision: number;
  readonly requestedAt: string;
}

/** The decision on a gate that somebody else took first; undefined while it is not known, and where the gate ended otherwise. */
export function decidedFirst(
  decisions: readonly Decided[],
  { kind, revision, requestedAt }: SeenGate,
): Decided | undefined {
  return decisions.findLast(
    ({ on, revision: decidedOn, at }) =>
      on === kind && decidedOn === revision && Date.parse(at) >= Date.parse(requestedAt),
  );
}
