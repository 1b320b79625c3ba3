export { type Authorized, asAuthorized } from './access/authorized.ts';
export { type Caller, type CallerLimits, callerOf, limitedRole, type RoleReader, roleOf } from './access/caller.ts';
export { type IssueAct, includesRole, issueActs, type RepoAct, type Role, roles } from './access/role.ts';
export { roleInsufficient } from './access/role-insufficient.ts';
export { neededOnIssue, neededOnRepo, type RoleNeeded } from './access/role-needed.ts';
export {
  includesScope,
  scopeInsufficient,
  scopeOf,
  scopeRoles,
  type TokenScope,
  tokenScopes,
} from './access/token-scope.ts';
export {
  type AccountLinkPurpose,
  type AccountLinkStore,
  accountLinkMinutes,
  accountLinkPurposes,
  type EndedByReset,
  linkEnd,
  mostLinks,
  type NewAccountLink,
  type PasswordReset,
} from './account/account-link.ts';
export type { AccountMail, AccountMailer, AccountMailResult } from './account/account-mail.ts';
export { dayBefore, FAILED_LOGIN_DAYS, type FailedLogins } from './account/failed-logins.ts';
export { hasAccounts } from './account/has-accounts.ts';
export { loginCodeOf } from './account/login-code.ts';
export {
  type Preferences,
  type PreferencesChange,
  preferencesSchema,
  toPreferences,
} from './account/preferences.ts';
export { requireOperator } from './account/require-operator.ts';
export {
  MOST_SECOND_FACTORS,
  MOST_TOTP_FACTORS,
  type NewPasskey,
  type NewSecondFactor,
  type NewTotp,
  RECOVERY_CODES,
  type SecondFactor,
  type SecondFactorKind,
  type SecondFactorProof,
  type SecondFactorWire,
  secondFactorProofs,
  secondFactorWire,
  toSecondFactorWire,
} from './account/second-factor.ts';
export {
  type AddFactorOutcome,
  CHALLENGE_ATTEMPTS,
  type Challenge,
  type ChallengeAttempt,
  CODE_ATTEMPTS,
  CODE_WINDOW_MS,
  type FactorChange,
  type FactorUse,
  type RemoveFactorOutcome,
  type ReplaceCodesOutcome,
  type SecondFactorStore,
} from './account/second-factor-store.ts';
export type { NewSession, SessionStore } from './account/session-store.ts';
export type {
  LoginGrant,
  LoginWays,
  ProviderSession,
  SignInFlow,
  SignInFlowStore,
} from './account/sign-in-flows.ts';
export type {
  EncryptedSecret,
  EncryptedSecretStore,
  EncryptedToken,
  PlainSecret,
  TokenCipher,
  TokenOwner,
} from './account/token-cipher.ts';
export {
  type Session,
  type SessionWire,
  sessionWire,
  toSessionWire,
  toUserProfileWire,
  type User,
  type UserProfileWire,
  userProfileWire,
} from './account/user.ts';
export {
  type AccountChange,
  type AccountFilter,
  type AccountState,
  accountStates,
  type ChangeAccountOutcome,
  type CreateUserOutcome,
  type EndingAudit,
  type NewUser,
  type UserAccount,
  type UserStore,
} from './account/user-store.ts';
export {
  type ActingOperator,
  disableUser,
  enableUser,
  endSessionsOf,
  removeSecondFactorsOf,
  revokeTokenOf,
  setOperator,
} from './administration/administer-user.ts';
export { toUserAccountWire, type UserAccountWire, userAccountWire } from './administration/user-account-wire.ts';
export type {
  AgentCommandResult,
  AgentContext,
  AgentInput,
  AgentOutput,
  AgentResult,
  AgentRole,
  AgentRunner,
  Journal,
} from './agent/agent-runner.ts';
export type {
  JournalEntry,
  JournalKey,
  JournalStore,
  JournalWrite,
  Note,
  ReadingEntry,
  Said,
  ToldAbout,
} from './agent/journal-store.ts';
export {
  type CheckpointKind,
  type CheckpointStore,
  type CodeIndexState,
  type CommandLogStore,
  checkpointKinds,
  type LeftOut,
  type LogChunk,
  type LogLine,
  type RunStore,
} from './agent/run-store.ts';
export {
  type ApiToken,
  type ApiTokenWire,
  apiTokenWire,
  isTokenLive,
  type ListedToken,
  LONGEST_TOKEN_LIFE_DAYS,
  limitsOf,
  MOST_API_TOKENS,
  type OwnedTokenWire,
  ownedTokenWire,
  toApiTokenWire,
  toOwnedTokenWire,
} from './api-token/api-token.ts';
export type {
  ApiTokenStore,
  CreateTokenOutcome,
  FoundToken,
  NewApiToken,
  TokensOf,
} from './api-token/api-token-store.ts';
export { hashApiToken, hasTokenPrefix, isApiToken, renderApiToken } from './api-token/api-token-text.ts';
export { createApiToken, revokeApiToken } from './api-token/api-tokens.ts';
export type { Clock } from './async/clock.ts';
export { createKeyedMutex, type KeyedMutex } from './async/keyed-mutex.ts';
export { type Backoff, backoffMs, type RetryOptions, retry } from './async/retry.ts';
export { createSemaphore, type Semaphore } from './async/semaphore.ts';
export { createSingleFlight, type SingleFlight } from './async/single-flight.ts';
export { sleep } from './async/sleep.ts';
export { LONGEST_TIMER_MS, systemTimers, type Timers, timersOver } from './async/timers.ts';
export { untilAborted } from './async/until-aborted.ts';
export { type Deadline, settleAfterAbort, withDeadline } from './async/with-deadline.ts';
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
export type { AuditStore, Numbered } from './audit/audit-entry.ts';
export { type Audited, auditEntry, type Initiator, type WrittenWith } from './audit/audit-entry.ts';
export { type AuditHead, type AuditHeadKeeper, auditHead, headOf } from './audit/audit-head.ts';
export { type AuditFilter, matchesAudit, parseAuditLine, printAuditLine } from './audit/audit-line.ts';
export {
  auditedActions,
  type OperatorAuditEntryWire,
  operatorAuditEntryWire,
  toOperatorAuditEntryWire,
} from './audit/audit-of-all.ts';
export type { AuditKey, AuditKeys, AuditRow, AuditSeal, AuditSealStore } from './audit/audit-seal.ts';
export { type AuditSealer, type AuditSealerDeps, acknowledgeAudit, createAuditSealer } from './audit/audit-sealer.ts';
export type { AuditFinding, AuditVerdict } from './audit/audit-verifier.ts';
export { type AuditRecord, auditRecords, verifyAudit } from './audit/verify-audit.ts';
export { type BudgetLoad, type BudgetStore, MOST_LISTED_BUDGETS } from './budget/budget-store.ts';
export {
  type BudgetKind,
  type BudgetSubject,
  budgetKinds,
  budgetsToWarnOf,
  endOfMonth,
  exhaustedBudget,
  firstKeptMonth,
  installationBudget,
  type LimitChange,
  type MonthlyBudget,
  type MonthlyBudgetWire,
  type MonthlyLimit,
  monthlyBudgetWire,
  monthlyLimitWire,
  monthOf,
  NO_LIMIT,
  NO_SUBJECT,
  NOTHING_SPENT,
  type Payer,
  renderHeld,
  renderUsed,
  repoBudget,
  type Spending,
  startOfMonth,
  subjectsOf,
  toMonthlyBudgetWire,
  usedShare,
  userBudget,
} from './budget/monthly-budget.ts';
export { setOperatorBudget, setRepoBudget } from './budget/set-budget.ts';
export type { ChangedFile, JudgedChange } from './change/changed-file.ts';
export { type Finding, findingSchema, needsApproval, renderFinding } from './change/finding.ts';
export { type BuildNews, buildNews, buildNewsSchema } from './code-host/build-news.ts';
export { type BuildVerdict, type BuildVerdictState, buildVerdict } from './code-host/build-verdict.ts';
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
  mergeStates,
} from './code-host/change-request.ts';
export { CLOSE_NOTE_LENGTH, type CloseReason, closeReasons } from './code-host/close-reason.ts';
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
  type CommentPlace,
  type HostedCollaborators,
  type HostedComment,
  type HostedIssue,
  type HostedPage,
  type HostedPermission,
  type HostedRepo,
  type ReviewState,
  type ReviewThread,
  reviewStates,
  type SubjectKind,
  subjectKinds,
} from './code-host/code-host.ts';
export {
  accessTokenOf,
  type CodeHostTokens,
  type CodeHostTokensContext,
  createCodeHostTokens,
  encryptGrant,
} from './code-host/code-host-tokens.ts';
export type {
  BuildAnnotation,
  BuildCheck,
  BuildCheckState,
  FailedJob,
  HostedBuild,
} from './code-host/hosted-build.ts';
export { type HostedName, hostedNameAt } from './code-host/hosted-name.ts';
export type { ClaimedSubject, CodeHostInbox } from './code-host/inbox.ts';
export { buildMarker, hasMarker, issueMarker, remarkMarker, roundsMarker } from './code-host/issue-marker.ts';
export type {
  CodeHostLinkStore,
  EncryptedGrant,
  LinkedGrant,
  LinkOutcome,
  SignInOutcome,
  StoredGrant,
} from './code-host/link-store.ts';
export type { BlockedMove, CodeHostSiteStore } from './code-host/site-store.ts';
export type { CodeHit, CodeIndex, CodeQuestion, CodeSymbol, SyntaxFault } from './code-search/code-index.ts';
export type { EmbedCall, Embedder, StoredVector, VectorStore } from './code-search/vector-store.ts';
export { type DeleteAccountContext, deleteAccount } from './deletion/delete-account.ts';
export type {
  BeginDeletionOutcome,
  DeletionPlan,
  DeletionProof,
  DeletionStore,
  FinishDeletionOutcome,
  Heir,
  HeirRules,
  LeftRepo,
  SettleRepoOutcome,
} from './deletion/deletion-store.ts';
export { AppError, type ErrorDetails, type FieldFault, toAppError } from './error/app-error.ts';
export { type ErrorCode, errorCatalog } from './error/error-catalog.ts';
export { type ErrorKind, errorKinds } from './error/error-kind.ts';
export { isModelUnavailable } from './error/model-unavailable.ts';
export { type RemoteErrorCode, remoteErrorCodes } from './error/remote-errors.ts';
export {
  type Actual,
  actualOf,
  type Estimate,
  type EstimateWire,
  estimateRest,
  estimateSchema,
  estimateWire,
  LEAST_RUNS,
  MOST_RUNS,
  type PastRun,
  planSize,
  type Range,
} from './estimate/estimate.ts';
export { answerBuild } from './follow-up/answer-build.ts';
export { buildFollowUp } from './follow-up/build-follow-up.ts';
export { type CausedFollowUp, createCausedFollowUp } from './follow-up/create-caused-follow-up.ts';
export { createFollowUp, type FollowUpRequest } from './follow-up/create-follow-up.ts';
export { type FollowUpTrigger, followUpTriggers } from './follow-up/follow-up-triggers.ts';
export {
  type ApprovalSource,
  approvalSource,
  canInherit,
  filesOutside,
  renderOutsideApproval,
} from './follow-up/inherited-approval.ts';
export { canBeFollowedUp, isFollowUpTrigger, type TriggerRules } from './follow-up/is-follow-up-trigger.ts';
export { filesMoved, isBaseConcern, type MovedBase, mergeFollowUp } from './follow-up/merge-follow-up.ts';
export { remarkReplies, replyOfAgent } from './follow-up/remark-replies.ts';
export { exceedsRounds, roundsSoFar } from './follow-up/review-rounds.ts';
export type { CodeHostIndex, CodeHostOrigin } from './hosted-issue/code-host-index.ts';
export { type ImportIssueContext, importIssue } from './hosted-issue/import-issue.ts';
export { type ImportedText, importedText } from './hosted-issue/imported-text.ts';
export {
  type ApiTokenId,
  type Ids,
  type InvitationId,
  type IssueId,
  isId,
  type RepoId,
  type SessionId,
  type UserId,
} from './id/id.ts';
export {
  hashInvitationToken,
  INVITATION_DAYS,
  type Invitation,
  type InvitationRule,
  type InvitationWire,
  invitationUrl,
  invitationWire,
  MOST_INVITATIONS,
  type NewInvitation,
  toInvitationWire,
} from './invitation/invitation.ts';
export type { CreateInvitationOutcome, InvitationStore, InvitationsOf } from './invitation/invitation-store.ts';
export { invite, withdrawInvitation } from './invitation/invitations.ts';
export { activeMs } from './issue/active-time.ts';
export {
  type Attempt,
  type AttemptOutcome,
  type AttemptRecord,
  type AttemptStore,
  attemptStates,
  type NewAttempt,
} from './issue/attempt-store.ts';
export { authorizeIssue } from './issue/authorize-issue.ts';
export { cancelIssue, cancelIssuesOf, expireGate } from './issue/cancel-issue.ts';
export { compareBaseAtGate } from './issue/compare-base.ts';
export { createIssue, type IssueDraft } from './issue/create-issue.ts';
export { type DecideGateContext, type Decision, decideGate } from './issue/decide-gate.ts';
export { deleteIssue } from './issue/delete-issue.ts';
export { editIssue } from './issue/edit-issue.ts';
export {
  type EventData,
  type EventType,
  eventCatalog,
  type IssueEvent,
  issueEventWire,
  type LiveEvent,
  type LiveEventType,
  liveEventCatalog,
  milestoneEvents,
  type NewEvent,
} from './issue/event-catalog.ts';
export type { ChangedIssue, EventLog } from './issue/event-log.ts';
export type { Issue, IssueOrigin, ListedIssue, NewIssue, PublishedChangeRequest } from './issue/issue.ts';
export { issueOrigins } from './issue/issue.ts';
export { issueBounds } from './issue/issue-bounds.ts';
export {
  FAILURE_WANTED_MS,
  type Inbox,
  type InboxIssue,
  type InboxList,
  type InboxQuery,
  type InboxWant,
  inboxBounds,
  inboxWants,
  type QueuedIssue,
  type QueueReason,
  queueReasons,
  type WantedIssue,
  wantedAtGate,
} from './issue/issue-inbox.ts';
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
export { type IssueError, type IssueResult, issueResultSchema } from './issue/issue-result.ts';
export {
  type ApplyOutcome,
  type CountedQuery,
  type CreateIssueOutcome,
  type IssueChange,
  type IssueQuery,
  type IssueStore,
  type IssueText,
  MOST_COUNTED_ISSUES,
} from './issue/issue-store.ts';
export {
  type GateWire,
  gateWire,
  type IssueWire,
  issueWire,
  toFullIssueWire,
  toGateWire,
  toIssueWire,
  toTriageWire,
} from './issue/issue-wire.ts';
export {
  type JobDriver,
  type JobSink,
  QUEUE_SILENT_MS,
  type QueueLoad,
  type QueueOverview,
  type QueueStats,
  type SlotHolder,
  type SlotUse,
} from './issue/job-queue.ts';
export type { Lease } from './issue/lease.ts';
export type { Claimed, LeaseStore } from './issue/lease-store.ts';
export { GATE_REMINDER_MS, remindOfGate } from './issue/remind-of-gate.ts';
export { type RetryIssueContext, retryIssue } from './issue/retry-issue.ts';
export { runIssue } from './issue/run-issue.ts';
export { sendNote } from './issue/send-note.ts';
export type { EventsWritten, SignalListener, Signals } from './issue/signals.ts';
export {
  type Member,
  type MemberOrigin,
  type MemberWire,
  MOST_MEMBERS,
  memberOrigins,
  memberWire,
  toMemberWire,
} from './member/member.ts';
export type {
  MemberStore,
  MirroredRoles,
  NewMember,
  PutMemberOutcome,
  RemoveMemberOutcome,
} from './member/member-store.ts';
export { type AddMemberContext, addMember, changeMember, removeMember } from './member/members.ts';
export {
  isHostName,
  matchesHost,
  namesPort,
  parseHostPattern,
} from './network/host-pattern.ts';
export {
  type HostLookup,
  type HostQuestion,
  type HostResolver,
  renderUnresolved,
  type UnresolvedReason,
} from './network/host-resolver.ts';
export { pinnedLookup } from './network/pinned-lookup.ts';
export { embeddedIpv4, isPublicAddress } from './network/public-address.ts';
export { authorizeNotificationTarget } from './notification/authorize-notification-target.ts';
export {
  createNotificationTarget,
  type NotificationContext,
  type NotificationRules,
  type NotificationTargetDraft,
} from './notification/create-notification-target.ts';
export { deleteNotificationTarget } from './notification/delete-notification-target.ts';
export {
  type AttemptEnd,
  type AttemptResult,
  type Delivery,
  type DeliveryStatus,
  deliveryStatuses,
  endOfAttempt,
} from './notification/delivery.ts';
export type { ClaimedDelivery, ClaimOptions, DeliveryQueue } from './notification/delivery-queue.ts';
export {
  isAllowHostsEntry,
  NOT_PUBLIC,
  type NotificationAddress,
  notificationAddress,
} from './notification/notification-address.ts';
export {
  asksForDecision,
  type Notification,
  type NotificationKind,
  needsYouKinds,
  notificationCatalog,
  notificationKinds,
  type StoredNotification,
  toNotification,
} from './notification/notification-catalog.ts';
export { mayNotify, type NotifiedIssue, notificationOf } from './notification/notification-of.ts';
export type {
  NotificationSender,
  OutgoingNotification,
  UnsubscribeTokens,
} from './notification/notification-sender.ts';
export type {
  CreateTargetOutcome,
  DeliveryQuery,
  NewNotificationSecret,
  NotificationStore,
  ReplayRange,
} from './notification/notification-store.ts';
export {
  type NewNotificationTarget,
  type NotificationChannel,
  type NotificationFormat,
  type NotificationSecret,
  type NotificationTarget,
  type NotificationTargetPatch,
  notificationBounds,
  notificationChannels,
  notificationFormats,
  notificationSecretOwner,
  openUrl,
  type StoredUrl,
  sealUrl,
} from './notification/notification-target.ts';
export {
  replayDeliveries,
  replayDelivery,
  requireDelivery,
  sendTestNotification,
} from './notification/replay-deliveries.ts';
export {
  rotateNotificationSecret,
  type ShownSecret,
  showNotificationSecrets,
} from './notification/rotate-notification-secret.ts';
export { unsubscribe } from './notification/unsubscribe.ts';
export {
  type NotificationTargetChange,
  updateNotificationTarget,
} from './notification/update-notification-target.ts';
export { type GroupGrants, grantsOf, mayEnter, type OidcRules } from './oidc/group-grants.ts';
export type {
  NewOidcUser,
  OidcIdentity,
  OidcIdentityStore,
  OidcLinkOutcome,
  OidcSignInOutcome,
  OidcUnlinkOutcome,
} from './oidc/oidc-identity-store.ts';
export type {
  OidcAccount,
  OidcLogout,
  OidcProvider,
  OidcRequest,
  OidcReturn,
  OidcSignIn,
} from './oidc/oidc-provider.ts';
export type { MaintenanceStore, WalkPosition } from './operation/maintenance-store.ts';
export type { HealthCheck, Telemetry } from './operation/telemetry.ts';
export {
  type SeenWorker,
  WORKER_GONE_MS,
  WORKER_REFRESH_MS,
  type WorkerProcess,
  type WorkerSandbox,
  type WorkerStore,
} from './operation/worker-store.ts';
export {
  type BuildEnd,
  buildEnds,
  type ChangeRequestRecord,
  type CloseAnswer,
} from './outcome/change-request-record.ts';
export { explainClose } from './outcome/explain-close.ts';
export { openedRecord, republishedRecord } from './outcome/opened-record.ts';
export { figuresOf, type OutcomeFigures, outcomeFiguresSchema } from './outcome/outcome-figures.ts';
export { DEFAULT_OUTCOME_DAYS } from './outcome/outcome-period.ts';
export {
  type ChangeRequestKey,
  type GroupTally,
  type NewCloseAnswer,
  type OutcomeCounting,
  type OutcomeGrouping,
  type OutcomeQuery,
  type OutcomeSpan,
  type OutcomeStore,
  outcomeGroupings,
} from './outcome/outcome-store.ts';
export { countsOf, NO_OUTCOMES, type OutcomeTally, type PicoUsd, toPicoUsd } from './outcome/outcome-tally.ts';
export { outcomesCsv } from './outcome/outcomes-csv.ts';
export { type OutcomesWire, outcomeGroupWire, outcomesWire, toOutcomesWire } from './outcome/outcomes-wire.ts';
export { peopleCommits } from './outcome/people-commits.ts';
export { type OutcomeQuestion, type Outcomes, readOutcomes } from './outcome/read-outcomes.ts';
export { type OutcomeFacts, updateOutcome } from './outcome/update-outcome.ts';
export {
  ANY_APPROVER,
  type ApprovalPolicy,
  type ApprovalRules,
  type ApprovalStanding,
  approvalRules,
  approvalStanding,
  approvalStandings,
  gateApprovals,
  isStricter,
  policyAtGate,
  stricter,
} from './pipeline/approval-policy.ts';
export { branchName } from './pipeline/branch-name.ts';
export {
  BUDGET_WARNING_SHARE,
  type Budget,
  type BudgetUse,
  budgetSchema,
  budgetUse,
  type Spent,
} from './pipeline/budget.ts';
export { BUILTIN_LABEL } from './pipeline/builtin-label.ts';
export { environmentFailure } from './pipeline/environment-failure.ts';
export {
  buildFollowUpKey,
  type FollowUpCause,
  followUpCauseSchema,
  followUpKey,
  remarksOf,
} from './pipeline/follow-up-cause.ts';
export { type Approval, type DecisionAction, decisionActions, type Gate, gateSchema } from './pipeline/gate.ts';
export { hiddenFailures } from './pipeline/hidden-failures.ts';
export { isTouched, losesTests } from './pipeline/missing-tests.ts';
export { MODEL_NEEDED } from './pipeline/model-needed.ts';
export { namedTests } from './pipeline/named-tests.ts';
export { NOTHING_TO_DO } from './pipeline/nothing-to-do.ts';
export {
  type BudgetState,
  type CommandSource,
  type EndedRound,
  endedBefore,
  type Implementation,
  NEW_PIPELINE,
  nextImplementRound,
  type OutsidePlan,
  outsidePlanSchema,
  type PipelineState,
  type Prepared,
  type Publication,
  type RanCommand,
  type Review,
  type Rounds,
  ranCommandSchema,
  reviewSchema,
  type Triage,
  triageSchema,
  withoutRound,
} from './pipeline/pipeline-state.ts';
export {
  gitPath,
  type Plan,
  type PlanDraft,
  planDraftSchema,
  planHash,
  plannedFiles,
  planSchema,
  proposedCommands,
} from './pipeline/plan.ts';
export { type PlanPaths, planPaths, withIgnored } from './pipeline/plan-paths.ts';
export { type PlannerOutput, plannerFindings, plannerOutputSchema } from './pipeline/planner-output.ts';
export { continuesRound, keptByRetry } from './pipeline/retried-pipeline.ts';
export { maxStageAttempts, retryDelayMs } from './pipeline/retry-policy.ts';
export {
  type RemarkAnswer,
  type RemarkEnd,
  type RemarkOutcome,
  type ReviewRemark,
  remarkAnswerSchema,
  remarkEnds,
  remarkOutcomes,
  reviewRemarkSchema,
} from './pipeline/review-remark.ts';
export { stageRound } from './pipeline/stage-round.ts';
export {
  pipelineStages,
  type Stage,
  type StageAgent,
  stageAfter,
  stages,
  type WorkerStage,
} from './pipeline/stages.ts';
export { listed, renderUncounted, testFacts } from './pipeline/test-facts.ts';
export { isSameTest } from './pipeline/test-name-parts.ts';
export {
  type BaseTests,
  type FlakyTest,
  type Reproduction,
  type TestCounts,
  type TestGap,
  type TestReport,
  type TestRun,
  testReportSchema,
  type UnreadReason,
} from './pipeline/test-report.ts';
export { type JudgedRuns, judgeTests } from './pipeline/test-verdict.ts';
export { NOTHING_TOUCHED, type TouchedTests } from './pipeline/touched-tests.ts';
export { addUsage, exactUsd, NO_USAGE, type Usage, usageSchema } from './pipeline/usage.ts';
export { guardedFiles } from './publication/guarded-files.ts';
export { renderBuildComment } from './publication/render-build-comment.ts';
export {
  type ChangeRequestFacts,
  changeRequestTitle,
  renderAnswerComment,
  renderChangeRequest,
  renderFollowUpComment,
  renderPublishedComment,
  renderRemarkComment,
  renderRemarkCommentElsewhere,
  renderRoundsComment,
} from './publication/render-change-request.ts';
export { verdictSentences } from './publication/render-outcome.ts';
export { type RemarkReply, renderRemarkReply } from './publication/render-remark-answer.ts';
export { authorizeRepo } from './repo/authorize-repo.ts';
export { type CreateRepoContext, createRepo, type RepoDraft, type RepoSource } from './repo/create-repo.ts';
export { type CurrentRepoContext, currentRepo } from './repo/current-repo.ts';
export { deleteRepo } from './repo/delete-repo.ts';
export { hostedName, requireHosted } from './repo/hosted-name.ts';
export {
  issueTemplateBounds,
  issueTemplateSchema,
  MOST_APPROVALS,
  type NewRepo,
  type Repo,
  type RepoIndex,
  type RepoPatch,
  type RepoSettings,
  type RepoSettingsPatch,
  repoSettingsSchema,
  reviewBotBounds,
} from './repo/repo.ts';
export { accessTo, type RepoAccessContext } from './repo/repo-access.ts';
export { isLocalAddress, parseRepoAddress, type RepoAddress, renamedAddress } from './repo/repo-address.ts';
export type { ActiveHolder } from './repo/repo-busy.ts';
export type { HostedPlace, RegisteredRepo, RelocateOutcome, RepoAudit, RepoStore } from './repo/repo-store.ts';
export { type RepoWire, repoWire, toRepoWire } from './repo/repo-wire.ts';
export { requireBaseBranch } from './repo/require-base-branch.ts';
export { type RepoChange, type UpdateRepoContext, updateRepo } from './repo/update-repo.ts';
export type {
  IdempotencyStore,
  IdempotentRequest,
  RequestClaim,
  ResponseToStore,
  StoredResponse,
} from './request/idempotency-store.ts';
export type { Page, PageRequest } from './request/page.ts';
export type {
  CountedRequests,
  Limiter,
  LimitVerdict,
  RateLimit,
  RateLimitName,
  RateLimits,
} from './request/rate-limits.ts';
export {
  creationLimits,
  describeLimit,
  FAILED_LOGIN_WINDOW_SECONDS,
  loginDelayMs,
  rateLimits,
} from './request/rate-limits.ts';
export { withoutControlSequences } from './text/control-sequences.ts';
export { hiddenTextWarnings } from './text/hidden-text.ts';
export { concealInvisible, revealInvisible } from './text/invisible-text.ts';
export { secretsIn, withoutSecrets } from './text/known-secrets.ts';
export { neutralPlain } from './text/neutral-text.ts';
export { scrub, secretsInUrl } from './text/scrub.ts';
export { canonicalJson, storableJson, storableText } from './text/storable-text.ts';
export { splitUntrusted } from './text/untrusted-part.ts';
export { oneLine, shortened, visibleLine, visiblePath } from './text/visible-text.ts';
export type { ControlGroup, ControlGroupLimits, ControlGroups } from './workspace/control-groups.ts';
export { type CountedPaths, NO_PATHS, renderPaths } from './workspace/counted-paths.ts';
export {
  diskFull,
  type FreeSpace,
  freeSpaceOf,
  isBelowReserve,
  renderFreeSpace,
  reserveOf,
} from './workspace/free-space.ts';
export { isLfsPointer, MAX_LFS_POINTER_BYTES } from './workspace/lfs-pointer.ts';
export type { DetectedCommands, ProjectCommands, ProjectFacts, TestOutput } from './workspace/project-commands.ts';
export type { Sandbox, SandboxCommand, SandboxLimits, SandboxProbe, SandboxResult } from './workspace/sandbox.ts';
export {
  type AbsentContent,
  type BaseBranches,
  type BranchStanding,
  type BranchStandings,
  type Checkpoint,
  type CommitRequest,
  type InspectedRemote,
  type LfsChange,
  type MergeConflict,
  type MergeOutcome,
  type MixedTree,
  type RemoteFacts,
  type RemoteInspector,
  type RepoAccess,
  type TextMatches,
  type TextQuery,
  type Workspace,
  type WorkspaceDiff,
  type WorkspaceFiles,
  type WorkspaceMerge,
  type WorkspaceRequest,
  type Workspaces,
  workspaceDiffSchema,
} from './workspace/workspace.ts';
