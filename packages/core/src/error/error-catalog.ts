import { invitationErrors, secondFactorErrors, signInErrors, tokenErrors } from './account-errors.ts';
import type { CatalogEntry } from './error-kind.ts';
import { notificationErrors } from './notification-errors.ts';
import { pipelineErrors } from './pipeline-errors.ts';
import { remoteErrors } from './remote-errors.ts';

/** Every error of Sluice, independent of transports. `retry` alone decides whether the worker retries a stage. */
export const errorCatalog = {
  validation_failed: { kind: 'invalid', retry: false, message: 'The request is not valid.' },
  malformed_json: { kind: 'invalid', retry: false, message: 'The body is not valid JSON.' },
  cursor_invalid: { kind: 'invalid', retry: false, message: 'The cursor is not valid. Start again without one.' },
  repo_unreachable: { kind: 'invalid', retry: false, message: 'The repository cannot be reached.' },
  base_branch_missing: { kind: 'invalid', retry: false, message: 'The base branch does not exist in the repository.' },
  remote_refused: { kind: 'invalid', retry: false, message: 'This repository address is not allowed.' },
  repo_nested_group: {
    kind: 'invalid',
    retry: false,
    message: 'This is not an owner and a name at the code host: the repository is in a nested group.',
  },

  account_link_invalid: {
    kind: 'invalid',
    retry: false,
    message:
      'This link is not valid: it has expired, was used, or a newer change has made it void. Ask for another one.',
  },

  codehost_state_invalid: {
    kind: 'invalid',
    retry: false,
    message: 'This sign-in has expired or was started in another browser. Start again.',
  },

  ...secondFactorErrors,
  ...tokenErrors,
  ...invitationErrors,
  ...notificationErrors,
  attachment_type_unsupported: { kind: 'invalid', retry: false, message: 'A file of this type cannot be attached.' },
  attachment_unreadable: {
    kind: 'invalid',
    retry: false,
    message: 'The file cannot be read as what its `media_type` says.',
  },
  attachment_unusable: {
    kind: 'invalid',
    retry: false,
    message: 'An attachment is not yours, has expired, or belongs to an issue already.',
  },
  attachment_not_found: { kind: 'not_found', retry: false, message: 'There is no such attachment.' },
  attachment_too_large: { kind: 'too_large', retry: false, message: 'The file is too large to be attached.' },
  attachments_full: {
    kind: 'conflict',
    retry: false,
    message: 'You have as many unused attachments as one user may have.',
  },
  issue_attachments_full: {
    kind: 'conflict',
    retry: false,
    message: 'The issue would have more attachments than one issue may have.',
  },
  pictures_unavailable: {
    kind: 'unavailable',
    retry: false,
    message: 'This server takes no pictures: it has no sandbox in which they can be decoded.',
  },
  uploads_busy: { kind: 'unavailable', retry: true, message: 'Too many files are being uploaded at this moment.' },

  delivery_unsigned: {
    kind: 'unauthenticated',
    retry: false,
    message: 'The signature of the webhook delivery is missing or wrong.',
  },
  session_missing: {
    kind: 'unauthenticated',
    retry: false,
    message: 'Log in first: the session cookie is missing or has expired.',
  },
  bad_credentials: { kind: 'unauthenticated', retry: false, message: 'The e-mail or the password is wrong.' },

  // For members too: the code is older than members, and codes are part of the interface.
  not_owner: { kind: 'forbidden', retry: false, message: 'This belongs to another user.' },
  role_insufficient: {
    kind: 'forbidden',
    retry: false,
    message: 'Your role in this repository does not allow this.',
  },
  requester_may_not_approve: {
    kind: 'forbidden',
    retry: false,
    message: 'The person who created an issue may not approve it in this repository.',
  },
  operator_required: {
    kind: 'forbidden',
    retry: false,
    message:
      "Only an operator of this server may do this. On the server's machine, `sluice admin users grant-operator` makes you one.",
  },
  origin_refused: {
    kind: 'forbidden',
    retry: false,
    message: 'Requests from this origin are refused. The operator can add it to CORS_ORIGINS.',
  },
  cross_site_login: {
    kind: 'forbidden',
    retry: false,
    message: 'This page is on another site than Sluice, so the browser would drop the session cookie.',
  },
  codehost_denied: { kind: 'forbidden', retry: false, message: 'You did not allow Sluice to use your account.' },
  password_wrong: { kind: 'forbidden', retry: false, message: 'The current password is wrong.' },
  sign_in_not_recent: {
    kind: 'forbidden',
    retry: false,
    message: 'You logged in too long ago for this. Log out, log in again, and repeat it within ten minutes.',
  },
  account_disabled: {
    kind: 'forbidden',
    retry: false,
    message: 'This account is disabled. Ask the operator of this server.',
  },
  registration_closed: {
    kind: 'forbidden',
    retry: false,
    message: 'Registration is closed on this server. Ask its operator for an account.',
  },

  session_not_found: { kind: 'not_found', retry: false, message: 'The session does not exist or has ended.' },
  issue_not_found: { kind: 'not_found', retry: false, message: 'There is no such issue.' },
  registrant_disabled: {
    kind: 'forbidden',
    retry: false,
    message:
      'The account of the user who registered this repository is disabled, and Sluice reaches it with that account. Register it yourself, or ask the operator of this server.',
  },
  repo_not_found: { kind: 'not_found', retry: false, message: 'There is no such repository.' },
  member_not_found: { kind: 'not_found', retry: false, message: 'This user is not a member of the repository.' },
  user_not_found: { kind: 'not_found', retry: false, message: 'There is no such user on this server.' },
  codehost_not_found: {
    kind: 'not_found',
    retry: false,
    message:
      'The requested item does not exist at the code host, or the account that asks cannot see it: yours, or that of the user who registered the repository.',
  },
  route_not_found: { kind: 'not_found', retry: false, message: 'There is no such path.' },
  method_not_allowed: { kind: 'method_not_allowed', retry: false, message: 'This path does not support this method.' },
  body_too_large: { kind: 'too_large', retry: false, message: 'The body is larger than 1 MiB.' },
  media_type_unsupported: {
    kind: 'unsupported_media_type',
    retry: false,
    message: 'Send the body as application/json.',
  },

  repo_busy: { kind: 'conflict', retry: false, message: 'Another issue is in progress on this repository.' },
  repo_exists: { kind: 'conflict', retry: false, message: 'You have already registered this repository.' },
  repo_has_active_issue: {
    kind: 'conflict',
    retry: false,
    message: 'The repository has an active issue. Cancel it first.',
  },
  member_is_mirrored: {
    kind: 'conflict',
    retry: false,
    message:
      'The role of this member comes from the code host and would come back. Change their permission there, or give them another role here.',
  },
  member_is_registrant: {
    kind: 'conflict',
    retry: false,
    message: 'The user who registered a repository stays its admin.',
  },
  last_operator: {
    kind: 'conflict',
    retry: false,
    message: 'No other operator could log in. Make another user an operator first.',
  },
  own_account: {
    kind: 'conflict',
    retry: false,
    message: 'Operators can neither disable their own account nor give up being an operator.',
  },
  members_full: { kind: 'conflict', retry: false, message: 'The repository has as many members as it may have.' },
  account_busy: {
    kind: 'conflict',
    retry: false,
    message: 'New issues or repositories of yours were begun while your account was being deleted.',
  },
  email_verified: {
    kind: 'conflict',
    retry: false,
    message: 'Your e-mail address is verified already.',
  },
  issue_not_pending: { kind: 'conflict', retry: false, message: 'Only a pending issue can be run.' },
  idempotency_key_reused: {
    kind: 'conflict',
    retry: false,
    message: 'This Idempotency-Key was already used for a different request. Use a new key for each request.',
  },
  idempotency_key_busy: {
    kind: 'conflict',
    retry: false,
    message: 'A request with this Idempotency-Key is still in progress. Send it again in a moment.',
  },
  issue_not_editable: {
    kind: 'conflict',
    retry: false,
    message: 'Only an issue that has not started can be edited.',
  },
  issue_not_failed: { kind: 'conflict', retry: false, message: 'Only a failed issue can be retried.' },
  issue_not_awaiting_approval: { kind: 'conflict', retry: false, message: 'The issue is not awaiting approval.' },
  close_not_asked: {
    kind: 'conflict',
    retry: false,
    message: 'The issue has no pull request that was closed without a merge.',
  },
  close_explained: {
    kind: 'conflict',
    retry: false,
    message: 'Another person has already given the reason for closing the pull request.',
  },
  plan_revision_stale: { kind: 'conflict', retry: false, message: 'The plan has changed since you saw it.' },
  base_branch_gone: {
    kind: 'conflict',
    retry: false,
    message: 'The base branch no longer exists at the remote.',
  },
  plan_stale: {
    kind: 'conflict',
    retry: false,
    message: 'The base branch has changed in files that the plan changes.',
  },
  issue_not_running: {
    kind: 'conflict',
    retry: false,
    message: 'No agent is working on the issue, so a note would not be read.',
  },
  budget_too_low: {
    kind: 'conflict',
    retry: false,
    message: 'The issue has used up its budget. Retry it with a higher one.',
  },
  budget_fixed: {
    kind: 'forbidden',
    retry: false,
    message: 'A budget cannot exceed the limit of this server. Ask its operator to raise the limit.',
  },
  issue_terminal: { kind: 'conflict', retry: false, message: 'The issue has already ended.' },
  issue_not_terminal: {
    kind: 'conflict',
    retry: false,
    message: 'Only an issue that has ended can be deleted. Cancel it first.',
  },
  codehost_not_configured: {
    kind: 'conflict',
    retry: false,
    message: 'No code host is configured. The operator can set CODEHOST_CLIENT_ID and CODEHOST_CLIENT_SECRET.',
  },
  codehost_webhook_not_configured: {
    kind: 'conflict',
    retry: false,
    message: 'No webhook secret is configured. The operator can set CODEHOST_WEBHOOK_SECRET.',
  },
  codehost_not_linked: {
    kind: 'conflict',
    retry: false,
    message: 'Link the account to the code host first: yours, or that of the user who registered the repository.',
  },
  codehost_relink_needed: {
    kind: 'conflict',
    retry: false,
    message:
      'The code host no longer accepts the stored token: yours, or that of the user who registered the repository. Link the account again.',
  },
  repo_token_unreadable: {
    kind: 'conflict',
    retry: false,
    message: "The repository's access token can no longer be decrypted. Set it again, or remove it.",
  },
  codehost_account_taken: {
    kind: 'conflict',
    retry: false,
    message: 'This code host account is already linked to another user.',
  },
  codehost_linked_to_another: {
    kind: 'conflict',
    retry: false,
    message: 'You are linked to another account at the code host. Unlink that one first.',
  },
  codehost_only_login: {
    kind: 'conflict',
    retry: false,
    message: 'Your code host account is your only way to log in. Set a password before you unlink it.',
  },
  codehost_forbidden: {
    kind: 'conflict',
    retry: false,
    message: 'Your account at the code host is not allowed to do this.',
  },
  repo_not_hosted: {
    kind: 'conflict',
    retry: false,
    message: 'This repository was registered by its URL. Register it as `codehost_repo` to use its issues.',
  },
  issue_imported: { kind: 'conflict', retry: false, message: 'This issue has already been imported.' },
  already_approved: { kind: 'conflict', retry: false, message: 'You have approved this already.' },
  approval_lapsed: {
    kind: 'conflict',
    retry: false,
    message: 'An earlier approval no longer counts, so yours would not be the last one.',
  },
  issue_not_awaiting_publication: {
    kind: 'conflict',
    retry: false,
    message: 'The decision does not name the commit that awaits publication.',
  },

  rate_limited: { kind: 'rate_limited', retry: true, message: 'Too many requests.' },
  too_many_streams: { kind: 'rate_limited', retry: true, message: 'Too many event streams are open.' },
  not_ready: { kind: 'unavailable', retry: true, message: 'A service that Sluice depends on is unreachable.' },
  shutting_down: { kind: 'unavailable', retry: true, message: 'The server is shutting down. Try again in a moment.' },

  codehost_busy: {
    kind: 'unavailable',
    retry: true,
    message: 'The code host asked Sluice to wait before the next request.',
  },
  codehost_unavailable: { kind: 'upstream', retry: true, message: 'The code host could not be reached or failed.' },
  codehost_refused: { kind: 'upstream', retry: false, message: 'The code host refused the request.' },
  ...remoteErrors,
  ...pipelineErrors,
  internal: {
    kind: 'bug',
    retry: true,
    message: 'An internal error occurred. The server log has the details under this request id.',
  },
  ...signInErrors,
} as const satisfies Record<string, CatalogEntry>;

export type ErrorCode = keyof typeof errorCatalog;
