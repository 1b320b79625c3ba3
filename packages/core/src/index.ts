export {
  type Authorized,
  authorizeIssue,
  authorizeRepo,
} from './access/authorize.ts';
export {
  type AuditAct,
  type AuditAction,
  type AuditActor,
  type AuditEntry,
  type AuditEntryWire,
  type AuditedAction,
  auditActions,
  auditCatalog,
  auditEntryWire,
  type InstallationAct,
  type InstallationEntry,
  type NewAuditEntry,
  toAuditEntryWire,
} from './audit/audit-catalog.ts';
export { auditedStores } from './audit/audited-stores.ts';
export type { Clock, Ids } from './clock.ts';
export {
  accessTokenOf,
  type CodeHostTokens,
  type CodeHostTokensContext,
  createCodeHostTokens,
  sealGrant,
} from './codehost/codehost-tokens.ts';
export { hiddenTextWarnings } from './codehost/hidden-text.ts';
export { type ImportedText, importedText } from './codehost/imported-text.ts';
export { concealInvisible, revealInvisible } from './codehost/invisible-text.ts';
export { loginCodeOf } from './codehost/login-code.ts';
export { splitUntrusted } from './codehost/untrusted-part.ts';
export {
  AppError,
  type ErrorDetails,
  type FieldFault,
  toAppError,
} from './error/app-error.ts';
export {
  type ErrorCode,
  type ErrorKind,
  errorCatalog,
  errorKinds,
} from './error/error-catalog.ts';
export { isModelAway } from './error/model-away.ts';
export {
  type DecisionAction,
  decisionActions,
  type EventData,
  type EventType,
  eventCatalog,
  type IssueEvent,
  issueEventWire,
  type LiveEvent,
  type LiveEventType,
  liveEventCatalog,
  type NewEvent,
} from './event/event-catalog.ts';
export { milestoneEvents } from './event/milestone-events.ts';
export { asksForFollowUp, canBeFollowedUp } from './follow-up/asks-for-follow-up.ts';
export { createFollowUp, type FollowUpRequest } from './follow-up/create-follow-up.ts';
export { type FollowUpAsk, followUpAsks } from './follow-up/follow-up-asks.ts';
export {
  type IssueId,
  isId,
  type RepoId,
  type SessionId,
  type UserId,
} from './id.ts';
export { activeMs } from './issue/active-time.ts';
export {
  BUDGET_WARNING_SHARE,
  type Budget,
  type BudgetUse,
  budgetSchema,
  budgetUse,
  type Spent,
} from './issue/budget.ts';
export { cancelIssue, cancelIssuesOf, expireGate } from './issue/cancel-issue.ts';
export { createIssue, type IssueDraft } from './issue/create-issue.ts';
export { type DecidePlanContext, type Decision, decidePlan } from './issue/decide-plan.ts';
export { deleteIssue } from './issue/delete-issue.ts';
export { editIssue } from './issue/edit-issue.ts';
export type { Gate } from './issue/gate.ts';
export { type ImportIssueContext, importIssue } from './issue/import-issue.ts';
export type {
  Issue,
  IssueOrigin,
  NewIssue,
  PublishedChangeRequest,
} from './issue/issue.ts';
export { issueBounds } from './issue/issue-bounds.ts';
export {
  type IssueStatus,
  type IssueTrigger,
  isActive,
  isEditable,
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
  takesNotes,
} from './issue/issue-machine.ts';
export {
  addUsage,
  exactUsd,
  type IssueError,
  type IssueResult,
  NO_USAGE,
  type Usage,
  usageSchema,
} from './issue/issue-result.ts';
export { type IssueWire, issueWire, toIssueWire } from './issue/issue-wire.ts';
export {
  gitPath,
  type Plan,
  type PlanDraft,
  planDraftSchema,
  planHash,
  plannedFiles,
  planSchema,
} from './issue/plan.ts';
export { LONG_AT_GATE_MS, remindOfGate } from './issue/remind-of-gate.ts';
export { type RetryIssueContext, retryIssue } from './issue/retry-issue.ts';
export { runIssue } from './issue/run-issue.ts';
export { sendNote } from './issue/send-note.ts';
export type {
  TestReport,
  TestRun,
  UnreadReason,
} from './issue/test-report.ts';
export { FAILED_LOGIN_WINDOW_SECONDS, loginDelayMs } from './limit/login-delay.ts';
export { type RateLimitName, rateLimits } from './limit/rate-limits.ts';
export type { Page, PageRequest } from './page.ts';
export { branchName } from './pipeline/branch-name.ts';
export {
  NEW_PIPELINE,
  type OutsidePlan,
  outsidePlanSchema,
  type PipelineState,
  type Review,
  reviewSchema,
  type Triage,
  triageSchema,
} from './pipeline/pipeline-state.ts';
export { roundGoesOn } from './pipeline/retried-pipeline.ts';
export { retryDelayMs } from './pipeline/retry-policy.ts';
export { stageRound } from './pipeline/stage-round.ts';
export {
  pipelineStages,
  type Stage,
  type StageAgent,
  stageAfter,
  stages,
  type WorkedStage,
} from './pipeline/stages.ts';
export { judgeTests } from './pipeline/test-verdict.ts';
export type {
  AgentContext,
  AgentInput,
  AgentOutput,
  AgentResult,
  AgentRole,
  AgentRunner,
  Journal,
} from './port/agent-runner.ts';
export type { AuditStore } from './port/audit-store.ts';
export {
  type ChangedSubject,
  type ChangedSubjects,
  type ChangeRequest,
  type ChangeRequestDraft,
  type ChangeRequestState,
  type CodeHost,
  type CodeHostAccount,
  type CodeHostCall,
  type CodeHostGrant,
  type CodeHostIdentity,
  type CodeHostWebhooks,
  type CommentPlace,
  changeRequestStates,
  type HostedComment,
  type HostedIssue,
  type HostedPage,
  type HostedRepo,
  type SubjectKind,
  subjectKinds,
} from './port/code-host.ts';
export type { CodeHit, CodeIndex, CodeSymbol } from './port/code-index.ts';
export type {
  BlockedMove,
  ClaimedSubject,
  CodeHostFlow,
  CodeHostInbox,
  CodeHostIndex,
  CodeHostLinkStore,
  CodeHostOrigin,
  CodeHostSiteStore,
  LinkedGrant,
  LinkOutcome,
  LoginGrant,
  SealedGrant,
  SealedSecret,
  SealedSecretStore,
  SignInOutcome,
  StoredGrant,
} from './port/codehost-store.ts';
export type { Embedder } from './port/embedder.ts';
export type { ChangedIssue, EventFeed } from './port/event-feed.ts';
export type { HealthCheck } from './port/health.ts';
export type {
  AnswerToKeep,
  IdempotencyStore,
  KeptAnswer,
  NamedRequest,
  RequestClaim,
} from './port/idempotency-store.ts';
export type {
  ActiveHolder,
  ApplyOutcome,
  CreateIssueOutcome,
  IssueChange,
  IssueQuery,
  IssueStore,
  IssueText,
} from './port/issue-store.ts';
export type { JobDriver, JobSink } from './port/job-driver.ts';
export type { Limiter, LimitVerdict } from './port/limiter.ts';
export type {
  DetectedCommands,
  ProjectCommands,
} from './port/project-commands.ts';
export type { RelocateOutcome, RepoAudit, RepoStore } from './port/repo-store.ts';
export {
  type CheckpointKind,
  checkpointKinds,
  type JournalEntry,
  type JournalKey,
  type JournalWrite,
  type Lease,
  type LogChunk,
  type LogLine,
  type NewStep,
  type Note,
  type ReadingEntry,
  type RunStore,
  type Step,
  type StepOutcome,
  type StepRecord,
  stepStates,
} from './port/run-store.ts';
export type {
  Sandbox,
  SandboxCommand,
  SandboxLimits,
  SandboxProbe,
  SandboxResult,
} from './port/sandbox.ts';
export type { EventsWritten, SignalListener, Signals } from './port/signals.ts';
export type { Telemetry } from './port/telemetry.ts';
export type { SealedFor, SealedToken, TokenCipher } from './port/token-cipher.ts';
export type { QueueLoad, UpkeepStore, WalkPosition } from './port/upkeep-store.ts';
export type {
  AccountChange,
  ChangeAccountOutcome,
  CreateUserOutcome,
  EndingAudit,
  NewSession,
  NewUser,
  SessionStore,
  UserAccount,
  UserStore,
} from './port/user-store.ts';
export type { StoredVector, VectorStore } from './port/vector-store.ts';
export {
  type BaseBranches,
  type Checkpoint,
  type CommitRequest,
  type RemoteFacts,
  type RemoteInspector,
  type RepoAccess,
  type TextMatches,
  type TextQuery,
  type Workspace,
  type WorkspaceDiff,
  type WorkspaceFiles,
  type WorkspaceRequest,
  type Workspaces,
  workspaceDiffSchema,
} from './port/workspace.ts';
export {
  type ChangeRequestFacts,
  changeRequestText,
  changeRequestTitle,
  followUpComment,
  publishedComment,
} from './publish/change-request-text.ts';
export { guardedFiles } from './publish/guarded-files.ts';
export { hasMarker, issueMarker } from './publish/issue-marker.ts';
export { neutralPlain } from './publish/neutral-text.ts';
export {
  type CreateRepoContext,
  createRepo,
  type RepoDraft,
  type RepoSource,
} from './repo/create-repo.ts';
export { deleteRepo } from './repo/delete-repo.ts';
export { hostedName } from './repo/hosted-name.ts';
export { type PresentRepoContext, presentRepo } from './repo/present-repo.ts';
export {
  type NewRepo,
  type Repo,
  type RepoIndex,
  type RepoPatch,
  type RepoSettings,
  repoSettingsSchema,
} from './repo/repo.ts';
export { accessTo, type RepoAccessContext } from './repo/repo-access.ts';
export { parseRepoAddress, type RepoAddress, renamedAddress } from './repo/repo-address.ts';
export { type RepoWire, repoWire, toRepoWire } from './repo/repo-wire.ts';
export { type RepoChange, type UpdateRepoContext, updateRepo } from './repo/update-repo.ts';
export { dayBefore, FAILED_LOGIN_DAYS, type FailedLogins } from './user/failed-logins.ts';
export {
  type Session,
  type SessionWire,
  sessionWire,
  toSessionWire,
  toUserProfileWire,
  type User,
  type UserProfileWire,
  userProfileWire,
} from './user/user.ts';
