import type { EventLog, Issue } from '@sluice/core/issue';
import type { IssueResumePoint, ResumePoint } from './resume-token.ts';

// After a restore, or a failover that lost the last writes, the same numbers are given again to other events. A reader that
// went on behind an old number would miss those without a word, so one whose token is not of this history starts over.

/** What a reader of an issue asks for. */
export interface IssueResume {
  /** The `id` of the last event that it received. */
  readonly lastEventId?: IssueResumePoint | undefined;
  /** A resume point, or the number of an event alone, which is then taken to be of the current epoch. */
  readonly after?: IssueResumePoint | undefined;
}

/** The sequence number after which a reader of an issue goes on; 0 when its token is of another history. */
export async function knownSeq(eventLog: EventLog, issue: Issue, resume: IssueResume): Promise<number> {
  const epoch = await eventLog.epoch();
  // A browser that reconnects repeats the address with its `after`; its header is newer.
  const { lastEventId = { epoch: resume.after?.epoch ?? epoch, seq: resume.after?.seq ?? 0 } } = resume;
  return lastEventId.epoch === epoch && lastEventId.seq <= issue.lastSeq ? lastEventId.seq : 0;
}

/** The point at which a reader of all issues goes on; null when the token is of another history. */
export async function knownPoint(eventLog: EventLog, point: ResumePoint): Promise<ResumePoint | null> {
  const epoch = await eventLog.epoch();
  if (point.floor === 0 && point.sent.size === 0) return { ...point, epoch }; // the beginning of any history
  if (point.epoch !== epoch) return null;
  if (point.floor <= (await eventLog.settledUpTo())) return point;
  // Another process may have been told of more settled events.
  return point.floor <= (await eventLog.lastOrdinal()) ? point : null;
}
