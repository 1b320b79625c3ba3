export { type BuildNews, buildNews, buildNewsSchema } from './build-news.ts';
export { type BuildVerdict, type BuildVerdictState, buildVerdict } from './build-verdict.ts';
export {
  type ChangeRequest,
  type ChangeRequestDetails,
  type ChangeRequestDraft,
  type ChangeRequestState,
  type CommitAccount,
  changeRequestStates,
  type HostedCommit,
  type HostedComparison,
  type HostedRevert,
  type MergeState,
} from './change-request.ts';
export { CLOSE_NOTE_LENGTH, type CloseReason, closeReasons } from './close-reason.ts';
export {
  type ChangedBranches,
  type ChangedSubject,
  type ChangedSubjects,
  type CodeHost,
  type CodeHostAccount,
  type CodeHostCall,
  type CodeHostGrant,
  type CodeHostIdentity,
  type CodeHostWebhooks,
  type FetchedPicture,
  type HostedCollaborators,
  type HostedComment,
  type HostedIssue,
  type HostedPage,
  type HostedPermission,
  type HostedPicture,
  type HostedRepo,
  type ReviewThread,
  reviewStates,
  type SubjectKind,
} from './code-host.ts';
export {
  accessTokenOf,
  type CodeHostTokens,
  createCodeHostTokens,
  encryptGrant,
} from './code-host-tokens.ts';
export type {
  BuildAnnotation,
  BuildCheck,
  BuildCheckState,
  FailedJob,
  HostedBuild,
} from './hosted-build.ts';
export { type HostedName, hostedNameAt } from './hosted-name.ts';
export type { ClaimedSubject, CodeHostInbox } from './inbox.ts';
export { buildMarker, hasMarker, issueMarker, remarkMarker, roundsMarker } from './issue-marker.ts';
export type {
  CodeHostLinkStore,
  EncryptedGrant,
  SignInOutcome,
} from './link-store.ts';
export type { BlockedMove, CodeHostSiteStore } from './site-store.ts';
