import { roles } from '@sluice/core/access';
import { preferencesSchema, secondFactorWire, sessionWire, userProfileWire } from '@sluice/core/account';
import { userAccountWire } from '@sluice/core/administration';
import { apiTokenWire, ownedTokenWire } from '@sluice/core/api-token';
import { attachmentWire } from '@sluice/core/attachment';
import { auditEntryWire, operatorAuditEntryWire } from '@sluice/core/audit';
import { monthlyBudgetWire, monthlyLimitWire } from '@sluice/core/budget';
import { estimateWire } from '@sluice/core/estimate';
import { invitationWire } from '@sluice/core/invitation';
import { issueEventWire, issueStatuses, issueWire } from '@sluice/core/issue';
import { memberWire } from '@sluice/core/member';
import { outcomeFiguresSchema, outcomeGroupWire, outcomesWire } from '@sluice/core/outcome';
import { budgetSchema, planSchema, stages, usageSchema } from '@sluice/core/pipeline';
import { issueTemplateSchema, repoSettingsSchema, repoWire } from '@sluice/core/repo';
import type * as z from 'zod';
import { overviewWire, setVariableWire } from '../admin/get-overview.procedure.ts';
import { registeredRepoWire } from '../admin/list-all-repos.procedure.ts';
import { slotHolderWire, slotWire, workerSandboxWire, workerWire } from '../admin/overview.wire.ts';
import { budgetsWire, repoBudgetWire } from '../budgets/budgets.procedure.ts';
import { operatorBudgetsWire, userBudgetWire } from '../budgets/operator-budgets.procedure.ts';
import { codehostRepoWire } from '../code-host/list-hosted-repos.procedure.ts';
import { errorWire, problemWire, publicCodes } from '../error/public-error.ts';
import { readinessWire } from '../health/read-readiness.ts';
import { begunPasskeyWire, begunTotpWire } from '../identity/accounts/begin-enrollment.procedure.ts';
import { recoveryCodesWire } from '../identity/accounts/change-second-factors.procedure.ts';
import { accountDeletionWire } from '../identity/accounts/delete-account.procedure.ts';
import { addedFactorWire } from '../identity/accounts/finish-enrollment.procedure.ts';
import { failedLoginsWire } from '../identity/accounts/list-failed-logins.procedure.ts';
import { secondFactorsWire } from '../identity/accounts/list-second-factors.procedure.ts';
import { createdInvitationWire } from '../identity/invitations/invitations.procedure.ts';
import { oidcIdentityWire } from '../identity/oidc/identities.procedure.ts';
import { createdApiTokenWire } from '../identity/tokens/create-token.procedure.ts';
import { comparedBaseWire } from '../issues/compare-base.procedure.ts';
import { changedFileWire, diffWire } from '../issues/get-diff.procedure.ts';
import { logPieceWire } from '../issues/get-log.procedure.ts';
import { issueSummaryWire } from '../issues/issue-summary.wire.ts';
import { stepWire } from '../issues/list-steps.procedure.ts';
import { inboxIssueWire, inboxWire, queuedIssueWire, wantedIssueWire } from '../issues/read-inbox.procedure.ts';
import {
  createdTargetWire,
  deliveryWire,
  notificationTargetWire,
  notificationWire,
  replayWire,
  rotatedSecretWire,
} from '../notifications/notification.wire.ts';
import { issueOutcomeWire } from '../outcomes/get-outcome.procedure.ts';
import { closeWire, outcomeWire } from '../outcomes/outcome.wire.ts';
import { codehostIssueWire } from '../repos/list-hosted-issues.procedure.ts';
import { hitWire } from '../repos/search-repo.procedure.ts';
import { limitsWire, rateLimitWire, serverDetailsWire, serverWire } from '../server/get-server.procedure.ts';
import { eventSchemas } from './event-schemas.ts';

const { gate, result, error, triage, commands, budget } = issueWire.shape;
const issueCommands = commands.unwrap().unwrap();

/**
 * The schemas that the document names, so that generated clients have a type for each. Matched by identity: the procedures
 * use these very objects.
 */
export const namedSchemas = {
  Error: errorWire,
  Problem: problemWire,
  Issue: issueWire,
  IssueSummary: issueSummaryWire,
  Inbox: inboxWire,
  InboxIssue: inboxIssueWire,
  WantedIssue: wantedIssueWire,
  QueuedIssue: queuedIssueWire,
  IssueError: error.unwrap(),
  IssueCommands: issueCommands,
  IssueCommand: issueCommands.shape.setup.unwrap(),
  IssueBudget: budget.unwrap().unwrap(),
  Triage: triage.unwrap().unwrap(),
  IssueEvent: issueEventWire,
  Plan: planSchema,
  PlanStep: planSchema.shape.steps.element,
  Gate: gate.unwrap(),
  Estimate: estimateWire,
  Result: result.unwrap(),
  TestReport: result.unwrap().shape.tests.unwrap(),
  Usage: usageSchema,
  Step: stepWire,
  Diff: diffWire,
  ChangedFile: changedFileWire,
  LogPiece: logPieceWire,
  ComparedBase: comparedBaseWire,
  Outcome: outcomeWire,
  Close: closeWire,
  IssueOutcome: issueOutcomeWire,
  Outcomes: outcomesWire,
  OutcomeFigures: outcomeFiguresSchema,
  OutcomeGroup: outcomeGroupWire,
  CloseReasons: outcomeFiguresSchema.shape.close_reasons,
  ApiToken: apiTokenWire,
  Attachment: attachmentWire,
  CreatedApiToken: createdApiTokenWire,
  OwnedApiToken: ownedTokenWire,
  Repo: repoWire,
  RepoSettings: repoSettingsSchema,
  Member: memberWire,
  Invitation: invitationWire,
  CreatedInvitation: createdInvitationWire,
  Budgets: budgetsWire,
  RepoBudget: repoBudgetWire,
  UserBudget: userBudgetWire,
  OperatorBudgets: operatorBudgetsWire,
  MonthlyBudget: monthlyBudgetWire,
  MonthlyLimit: monthlyLimitWire,
  SecondFactor: secondFactorWire,
  SecondFactors: secondFactorsWire,
  AddedSecondFactor: addedFactorWire,
  TotpEnrollment: begunTotpWire,
  PasskeyEnrollment: begunPasskeyWire,
  RecoveryCodes: recoveryCodesWire,
  IssueTemplate: issueTemplateSchema,
  RepoIndex: repoWire.shape.index.unwrap(),
  SearchHit: hitWire,
  OidcIdentity: oidcIdentityWire,
  CodeHostRepo: codehostRepoWire,
  CodeHostIssue: codehostIssueWire,
  NotificationTarget: notificationTargetWire,
  CreatedNotificationTarget: createdTargetWire,
  RotatedSecret: rotatedSecretWire,
  Delivery: deliveryWire,
  Replay: replayWire,
  Notification: notificationWire,
  UserProfile: userProfileWire,
  AccountDeletion: accountDeletionWire,
  LeftRepo: accountDeletionWire.shape.repos.element,
  Heir: accountDeletionWire.shape.repos.element.shape.heir.unwrap(),
  Preferences: preferencesSchema,
  Session: sessionWire,
  AuditEntry: auditEntryWire,
  OperatorAuditEntry: operatorAuditEntryWire,
  FailedLogins: failedLoginsWire,
  Readiness: readinessWire,
  Overview: overviewWire,
  UserAccount: userAccountWire,
  RegisteredRepo: registeredRepoWire,
  Slot: slotWire,
  SlotHolder: slotHolderWire,
  Worker: workerWire,
  WorkerSandbox: workerSandboxWire,
  SetVariable: setVariableWire,
  Server: serverWire,
  ServerDetails: serverDetailsWire,
  Limits: limitsWire,
  RateLimit: rateLimitWire,
  Budget: budgetSchema,
  ...eventSchemas(),
} satisfies Record<string, z.ZodType>;

/** Words that several schemas share. */
export const namedWords: Readonly<Record<string, readonly string[]>> = {
  ErrorCode: publicCodes,
  IssueStatus: issueStatuses,
  Role: roles,
  Stage: stages,
};
