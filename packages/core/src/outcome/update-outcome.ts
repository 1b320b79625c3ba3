import type { BuildNews } from '../code-host/build-news.ts';
import type { ChangeRequestState } from '../code-host/change-request.ts';
import { type BuildEnd, buildEnds, type ChangeRequestRecord } from './change-request-record.ts';

/** The code host's facts about a pull request now. An absent fact is not known, and changes nothing. */
export interface OutcomeFacts {
  readonly state: ChangeRequestState;
  /** The times of the code host; the time of the sync stands in for an absent one. */
  readonly mergedAt?: Date | null | undefined;
  readonly closedAt?: Date | null | undefined;
  readonly revertedAt?: Date | null | undefined;
  /** Commits by people on top of ours. */
  readonly peopleCommits?: number | undefined;
  /** The build of the current head; null where nothing is reported. */
  readonly build?: BuildNews | null | undefined;
}

/**
 * Folds the current facts into the record. The same facts a second time change nothing, so a sync may come twice, and facts
 * of the same state may be noticed in any order.
 *
 * @param now the time of a change whose own time is not known
 */
export function updateOutcome(record: ChangeRequestRecord, facts: OutcomeFacts, now: Date): ChangeRequestRecord {
  return {
    ...record,
    ...ends[facts.state](record, facts, now),
    state: facts.state,
    readyAt: record.readyAt ?? (facts.state === 'open' ? now : null),
    peopleCommits: facts.peopleCommits ?? record.peopleCommits,
    firstBuild: record.firstBuild ?? verdictOnOurs(record, facts),
    build: facts.build === undefined ? record.build : facts.build,
  };
}

type Ends = Pick<ChangeRequestRecord, 'mergedAt' | 'closedAt' | 'revertedAt' | 'closeAskedAt' | 'closeAnswer'>;

const NOT_CLOSED = { closedAt: null, closeAskedAt: null, closeAnswer: null } as const;

/** A pull request that was opened again has nothing to explain. Closed once more, it is asked about once more. */
function open(): Ends {
  return { ...NOT_CLOSED, mergedAt: null, revertedAt: null };
}

const ends: Readonly<
  Record<ChangeRequestState, (record: ChangeRequestRecord, facts: OutcomeFacts, now: Date) => Ends>
> = {
  draft: open,
  open,
  merged: ({ state, mergedAt, revertedAt }, facts, now) => ({
    ...NOT_CLOSED,
    // The time of this sync would be wrong for a pull request that an older release saw merged.
    mergedAt: facts.mergedAt ?? (state === 'merged' ? mergedAt : now),
    revertedAt: revertedAt ?? facts.revertedAt ?? null,
  }),
  closed: ({ closedAt, closeAskedAt, closeAnswer }, facts, now) => ({
    mergedAt: null,
    revertedAt: null,
    closedAt: facts.closedAt ?? closedAt ?? now,
    closeAskedAt: closedAt === null ? now : closeAskedAt,
    closeAnswer,
  }),
};

function verdictOnOurs({ headCommit }: ChangeRequestRecord, { build }: OutcomeFacts): BuildEnd | null {
  if (build == null || build.commit !== headCommit) return null;
  return buildEnds.find((end) => end === build.verdict) ?? null;
}
