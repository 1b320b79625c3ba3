import type { ChangeRequestState } from '../code-host/change-request.ts';
import type { IssueId } from '../id/id.ts';
import type { EventData } from '../issue/event-catalog.ts';
import type { Issue } from '../issue/issue.ts';
import type { RegistrationIndex } from '../repo/registration-index.ts';
import type { Repo } from '../repo/repo.ts';

/** The origin of an imported issue: an issue number, or the comment or review that triggered a follow-up. */
export type CodeHostOrigin = { readonly number: number } | { readonly commentId: string };

/** Issues and repositories by their ids at the code host. */
export interface CodeHostIndex extends RegistrationIndex {
  imported(repoId: Repo['id'], numbers: readonly number[]): Promise<ReadonlyMap<number, IssueId>>;
  /** The issues that published to that pull request, oldest first: the first one, then its follow-ups. */
  byChangeRequest(repoId: Repo['id'], number: number): Promise<readonly Issue[]>;
  /** The follow-up of that comment or review, or null. */
  followUpOf(repoId: Repo['id'], commentId: string): Promise<Issue | null>;
  /** All follow-ups of an issue, oldest first, also those that published nothing. */
  followUpsOf(issueId: IssueId): Promise<readonly Issue[]>;
  /** The issues that were published to pull requests that are open, or drafts, as last known; newest first, up to 200. */
  openChanges(repoId: Repo['id']): Promise<readonly { readonly issueId: IssueId; readonly number: number }[]>;
  /** Adds a `base.moved` event. False, and nothing is written, when the last one is about the same commit. */
  noteBaseMoved(issueId: IssueId, moved: EventData<'base.moved'>): Promise<boolean>;
  /** The last answer to each remark that an issue has answered, by the id of the remark. */
  answeredRemarks(issueId: IssueId): Promise<ReadonlyMap<string, EventData<'remark.answered'>>>;
  /** Adds a `remark.answered` event. */
  noteAnsweredRemark(issueId: IssueId, answered: EventData<'remark.answered'>): Promise<void>;
  /** The reviews and comments that wait for a person, by their ids, as the events of an issue say. */
  waitingReviews(issueId: IssueId): Promise<ReadonlySet<string>>;
  /** Adds a `review.waits` event. */
  noteWaitingReview(issueId: IssueId, waiting: EventData<'review.waits'>): Promise<void>;
  /** Whether the imported issue was deleted, so that it must not be imported again automatically. */
  wasRemoved(repoId: Repo['id'], origin: CodeHostOrigin): Promise<boolean>;
  /** Sets the state, with a `change_request.updated` event. False when it has not changed. */
  setChangeRequestState(issueId: IssueId, state: ChangeRequestState): Promise<boolean>;
  /**
   * Adds a pull request to an issue that had ended when it was opened, with a `change_request.updated` event. False, and
   * nothing is written, when the issue has not ended or already has one.
   */
  noteChangeRequest(
    issueId: IssueId,
    changeRequest: { readonly number: number; readonly url: string; readonly state: ChangeRequestState },
  ): Promise<boolean>;
}
