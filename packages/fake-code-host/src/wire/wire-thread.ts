import type { HostLineComment } from '../state/host-state.ts';
import type { PullSubject } from './wire-pull.ts';

/** A comment on a line with its answers. */
export interface HostThread {
  readonly id: string;
  readonly isResolved: boolean;
  readonly comments: readonly [HostLineComment, ...HostLineComment[]];
}

/** The threads of a pull request, the oldest first. */
export function threadsOf({ pull }: PullSubject): HostThread[] {
  return pull.lineComments
    .filter(({ replyTo }) => replyTo === null)
    .map((first) => ({
      id: `PRRT_${first.id}`,
      isResolved: pull.resolved.has(first.id),
      comments: [first, ...pull.lineComments.filter(({ replyTo }) => replyTo === first.id)],
    }));
}
