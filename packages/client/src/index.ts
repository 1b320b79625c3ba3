export type {
  CallOptions,
  Connection,
  Mutation,
  MutationOptions,
  Query,
  StreamListener,
  Subscription,
} from './call.ts';
export { type CookieStore, memoryCookies, type StoredCookie } from './cookie-store.ts';
export { createSluiceClient, type SluiceClient, type SluiceClientOptions } from './create-sluice-client.ts';
export { type Decision, decideIssue, type SeenIssue } from './decide-issue.ts';
export type {
  ApiToken,
  Budgets,
  CloseReason,
  ComparedBase,
  CreatedInvitation,
  Delivery,
  Estimate,
  FollowedEvent,
  Gate,
  Inbox,
  InboxIssue,
  Invitation,
  Issue,
  IssueBudget,
  IssueCommands,
  IssueEvent,
  IssueStatus,
  IssueSummary,
  Member,
  MonthlyBudget,
  NotificationTarget,
  OperatorBudgets,
  Outcome,
  Outcomes,
  Plan,
  PlanStep,
  Preferences,
  Profile,
  QueuedIssue,
  RegisteredRepo,
  Repo,
  Result,
  Role,
  ServerErrorCode,
  Stage,
  TestReport,
  TokenScope,
  Triage,
  UserAccount,
  WantedIssue,
  WatchedEvent,
} from './server-calls.ts';
export type { Fetch } from './server-fetch.ts';
export { type SessionFetchOptions, sessionFetch } from './session-fetch.ts';
export {
  type ConnectionErrorCode,
  isSluiceError,
  type KnownErrorCode,
  SluiceError,
  type SluiceErrorCode,
} from './sluice-error.ts';
export { type FollowedItem, type WatchAllOptions, watchAllIssues } from './watch-all-issues.ts';
export { type WatchOptions, watchIssue } from './watch-issue.ts';
