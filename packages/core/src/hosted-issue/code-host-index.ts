import type { ChangeRequestState } from '../code-host/code-host.ts';
import type { IssueId } from '../id/id.ts';
import type { Issue } from '../issue/issue.ts';
import type { RegistrationIndex } from '../repo/registration-index.ts';
import type { Repo } from '../repo/repo.ts';

/** What an issue here was made from: the issue of that number, or what asked for a follow-up. */
export type CodeHostOrigin = { readonly number: number } | { readonly commentId: string };

/** Issues and repositories as the code host names them. */
export interface CodeHostIndex extends RegistrationIndex {
  imported(repoId: Repo['id'], numbers: readonly number[]): Promise<ReadonlyMap<number, IssueId>>;
  /** The issues of a registration that published to that pull request, oldest first: the first one, then its follow-ups. */
  byChangeRequest(repoId: Repo['id'], number: number): Promise<readonly Issue[]>;
  /** The follow-up that was made from that comment or review, or null. */
  followUpOf(repoId: Repo['id'], commentId: string): Promise<Issue | null>;
  /** Whether an issue from there was deleted for good here: it is not to come back by itself. */
  wasRemoved(repoId: Repo['id'], origin: CodeHostOrigin): Promise<boolean>;
  /** Writes the state on the issue where it differs, with its `change_request.updated` event. False when it is so already. */
  setChangeRequestState(issueId: IssueId, state: ChangeRequestState): Promise<boolean>;
  /**
   * Writes a pull request on an issue that had ended when it was opened, with its `change_request.updated` event. False,
   * and nothing written, where the issue has not ended or has one.
   */
  noteChangeRequest(
    issueId: IssueId,
    changeRequest: { readonly number: number; readonly url: string; readonly state: ChangeRequestState },
  ): Promise<boolean>;
}
