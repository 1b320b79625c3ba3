import { getOverview } from '../../admin/get-overview.procedure.ts';
import { listAllRepos } from '../../admin/list-all-repos.procedure.ts';
import { listAuditOfAll } from '../../admin/list-audit-of-all.procedure.ts';
import {
  endUserSessions,
  listUserSessions,
  listUserTokens,
  revokeUserToken,
} from '../../admin/user-access.procedure.ts';
import { getUser, listUsers, removeUserSecondFactors, updateUser } from '../../admin/users.procedure.ts';
import { getAttachment, listAttachments, uploadAttachment } from '../../attachments/attachments.procedure.ts';
import { listAudit } from '../../audit/list-audit.procedure.ts';
import { getBudgets, getRepoBudget, updateRepoBudget } from '../../budgets/budgets.procedure.ts';
import { getOperatorBudgets, updateOperatorBudgets } from '../../budgets/operator-budgets.procedure.ts';
import { confirmCodehostCliLogin } from '../../code-host/confirm-cli-login.procedure.ts';
import { finishCodehostCliLogin } from '../../code-host/finish-cli-login.procedure.ts';
import { finishCodehostLogin } from '../../code-host/finish-login.procedure.ts';
import { listCodehostRepos } from '../../code-host/list-hosted-repos.procedure.ts';
import { startCodehostCliLogin } from '../../code-host/start-cli-login.procedure.ts';
import { startCodehostLogin } from '../../code-host/start-login.procedure.ts';
import { unlinkCodehost } from '../../code-host/unlink.procedure.ts';
import { getLiveness, getReadiness } from '../../health/health.procedure.ts';
import { beginPasskey, beginTotp } from '../../identity/accounts/begin-enrollment.procedure.ts';
import {
  removeSecondFactor,
  renameSecondFactor,
  replaceRecoveryCodes,
} from '../../identity/accounts/change-second-factors.procedure.ts';
import { deleteMe, getAccountDeletion } from '../../identity/accounts/delete-account.procedure.ts';
import { addSecondFactor } from '../../identity/accounts/finish-enrollment.procedure.ts';
import { listFailedLogins } from '../../identity/accounts/list-failed-logins.procedure.ts';
import { listSecondFactors } from '../../identity/accounts/list-second-factors.procedure.ts';
import { login } from '../../identity/accounts/login.procedure.ts';
import { logout } from '../../identity/accounts/logout.procedure.ts';
import { getMe, updateMe } from '../../identity/accounts/me.procedure.ts';
import { getPreferences, updatePreferences } from '../../identity/accounts/preferences.procedure.ts';
import { register } from '../../identity/accounts/register.procedure.ts';
import { requestPasswordReset, resetPassword } from '../../identity/accounts/reset-password.procedure.ts';
import { listSessions, revokeSession } from '../../identity/accounts/sessions.procedure.ts';
import { requestEmailVerification, verifyEmail } from '../../identity/accounts/verify-email.procedure.ts';
import {
  createInvitation,
  deleteInvitation,
  deleteRepoInvitation,
  inviteMember,
  listInvitations,
  listRepoInvitations,
} from '../../identity/invitations/invitations.procedure.ts';
import { addMember, changeMember, listMembers, removeMember } from '../../identity/members/members.procedure.ts';
import { confirmOidcCliLogin, finishOidcCliLogin, startOidcCliLogin } from '../../identity/oidc/cli-login.procedure.ts';
import { finishOidcLogin } from '../../identity/oidc/finish-login.procedure.ts';
import { listOidcIdentities, unlinkOidc } from '../../identity/oidc/identities.procedure.ts';
import { logoutAtOidc } from '../../identity/oidc/logout.procedure.ts';
import { startOidcLogin } from '../../identity/oidc/start-login.procedure.ts';
import { createApiToken } from '../../identity/tokens/create-token.procedure.ts';
import {
  deleteApiToken,
  deleteRepoToken,
  listApiTokens,
  listRepoTokens,
} from '../../identity/tokens/tokens.procedure.ts';
import { cancelIssue, deleteIssue } from '../../issues/cancel-issue.procedure.ts';
import { compareIssueBase } from '../../issues/compare-base.procedure.ts';
import { createIssue } from '../../issues/create-issue.procedure.ts';
import { decideGate } from '../../issues/decide-gate.procedure.ts';
import { editIssue } from '../../issues/edit-issue.procedure.ts';
import { getDiff } from '../../issues/get-diff.procedure.ts';
import { getHistory } from '../../issues/get-history.procedure.ts';
import { getLog } from '../../issues/get-log.procedure.ts';
import { importIssue } from '../../issues/import-issue.procedure.ts';
import { getIssue, listIssues } from '../../issues/issues.procedure.ts';
import { listPlans, listSteps } from '../../issues/list-steps.procedure.ts';
import { readInbox } from '../../issues/read-inbox.procedure.ts';
import { retryIssue, runIssue } from '../../issues/run-issue.procedure.ts';
import { sendMessage } from '../../issues/send-message.procedure.ts';
import { watchAllIssues } from '../../issues/watch-all-issues.procedure.ts';
import { watchIssue } from '../../issues/watch-issue.procedure.ts';
import { createNotificationTarget } from '../../notifications/create-target.procedure.ts';
import {
  listDeliveries,
  replayDeliveriesOf,
  testNotificationTarget,
} from '../../notifications/deliveries.procedure.ts';
import {
  deleteNotificationTarget,
  getNotificationTarget,
  listNotificationTargets,
  rotateNotificationSecret,
} from '../../notifications/targets.procedure.ts';
import { updateNotificationTarget } from '../../notifications/update-target.procedure.ts';
import { explainClose } from '../../outcomes/explain-close.procedure.ts';
import { getOutcome } from '../../outcomes/get-outcome.procedure.ts';
import { readOutcomes } from '../../outcomes/read-outcomes.procedure.ts';
import { router } from '../../procedure/procedure.ts';
import { createRepo } from '../../repos/create-repo.procedure.ts';
import { listHostedIssues } from '../../repos/list-hosted-issues.procedure.ts';
import { deleteRepo, getRepo, listRepos } from '../../repos/repos.procedure.ts';
import { searchRepo } from '../../repos/search-repo.procedure.ts';
import { updateRepo } from '../../repos/update-repo.procedure.ts';
import { getServer } from '../../server/get-server.procedure.ts';

/** Everything that clients may call. REST, tRPC and the OpenAPI document are all read off this table. */
export const appRouter = router({
  auth: router({
    register,
    login,
    logout,
    me: getMe,
    account: router({
      update: updateMe,
      deletion: getAccountDeletion,
      delete: deleteMe,
      failedLogins: listFailedLogins,
    }),
    preferences: router({ get: getPreferences, update: updatePreferences }),
    sessions: router({ list: listSessions, revoke: revokeSession }),
    secondFactors: router({
      list: listSecondFactors,
      beginTotp,
      beginPasskey,
      add: addSecondFactor,
      rename: renameSecondFactor,
      remove: removeSecondFactor,
      replaceRecoveryCodes,
    }),
    password: router({ requestReset: requestPasswordReset, reset: resetPassword }),
    email: router({ requestVerification: requestEmailVerification, verify: verifyEmail }),
    codehost: router({
      start: startCodehostLogin,
      finish: finishCodehostLogin,
      cli: router({ start: startCodehostCliLogin, confirm: confirmCodehostCliLogin, finish: finishCodehostCliLogin }),
      unlink: unlinkCodehost,
    }),
    oidc: router({
      start: startOidcLogin,
      finish: finishOidcLogin,
      cli: router({ start: startOidcCliLogin, confirm: confirmOidcCliLogin, finish: finishOidcCliLogin }),
      identities: listOidcIdentities,
      unlink: unlinkOidc,
      logout: logoutAtOidc,
    }),
  }),
  repos: router({
    list: listRepos,
    create: createRepo,
    get: getRepo,
    update: updateRepo,
    delete: deleteRepo,
    search: searchRepo,
    issues: listHostedIssues,
    members: listMembers,
    addMember,
    changeMember,
    removeMember,
    invitations: listRepoInvitations,
    inviteMember,
    withdrawInvitation: deleteRepoInvitation,
    budget: getRepoBudget,
    updateBudget: updateRepoBudget,
    tokens: listRepoTokens,
    revokeToken: deleteRepoToken,
  }),
  attachments: router({ upload: uploadAttachment, get: getAttachment, list: listAttachments }),
  issues: router({
    list: listIssues,
    inbox: readInbox,
    create: createIssue,
    import: importIssue,
    get: getIssue,
    update: editIssue,
    run: runIssue,
    retry: retryIssue,
    approve: decideGate,
    message: sendMessage,
    cancel: cancelIssue,
    delete: deleteIssue,
    events: watchIssue,
    history: getHistory,
    steps: listSteps,
    plans: listPlans,
    diff: getDiff,
    log: getLog,
    base: compareIssueBase,
    outcome: getOutcome,
    closeReason: explainClose,
  }),
  outcomes: router({ read: readOutcomes }),
  codehost: router({ repos: listCodehostRepos }),
  notifications: router({
    list: listNotificationTargets,
    create: createNotificationTarget,
    get: getNotificationTarget,
    update: updateNotificationTarget,
    delete: deleteNotificationTarget,
    test: testNotificationTarget,
    rotateSecret: rotateNotificationSecret,
    deliveries: listDeliveries,
    replay: replayDeliveriesOf,
  }),
  tokens: router({ list: listApiTokens, create: createApiToken, revoke: deleteApiToken }),
  audit: router({ list: listAudit }),
  budgets: router({ mine: getBudgets }),
  admin: router({
    overview: getOverview,
    audit: listAuditOfAll,
    budgets: getOperatorBudgets,
    updateBudgets: updateOperatorBudgets,
    users: listUsers,
    user: getUser,
    updateUser,
    userSessions: listUserSessions,
    endUserSessions,
    userTokens: listUserTokens,
    revokeUserToken,
    removeUserSecondFactors,
    repos: listAllRepos,
    invitations: listInvitations,
    invite: createInvitation,
    withdrawInvitation: deleteInvitation,
  }),
  events: router({ watch: watchAllIssues }),
  server: router({ get: getServer }),
  health: router({ live: getLiveness, ready: getReadiness }),
});

export type AppRouter = typeof appRouter;
