/**
 * Every way in which Sluice refuses or fails, without a transport's words. An edge (HTTP, tRPC, exit code)
 * maps `ErrorKind` by a total table of its own, so a new kind does not compile until each edge answers.
 * `retry` alone decides whether the worker tries a stage again.
 */
export const errorKinds = [
  'invalid',
  'unauthenticated',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'too_large',
  'unsupported_media_type',
  'conflict',
  'rate_limited',
  'upstream',
  'unavailable',
  'pipeline',
  'bug',
] as const;

export type ErrorKind = (typeof errorKinds)[number];

interface CatalogEntry {
  readonly kind: ErrorKind;
  readonly retry: boolean;
  readonly message: string;
}

export const errorCatalog = {
  validation_failed: { kind: 'invalid', retry: false, message: 'The request is not valid.' },
  malformed_json: { kind: 'invalid', retry: false, message: 'The body is not valid JSON.' },
  cursor_invalid: { kind: 'invalid', retry: false, message: 'The cursor is unknown: start again without one.' },
  repo_unreachable: { kind: 'invalid', retry: false, message: 'The repository cannot be reached.' },
  base_branch_missing: { kind: 'invalid', retry: false, message: 'The base branch does not exist in the repository.' },
  remote_refused: { kind: 'invalid', retry: false, message: 'This repository address is not allowed.' },

  codehost_state_invalid: {
    kind: 'invalid',
    retry: false,
    message: 'This sign-in is not valid any more, or was begun in another browser: begin again.',
  },

  delivery_unsigned: {
    kind: 'unauthenticated',
    retry: false,
    message: "The delivery's signature is missing or wrong.",
  },
  session_missing: {
    kind: 'unauthenticated',
    retry: false,
    message: 'Log in first: the session cookie is missing or has expired.',
  },
  bad_credentials: { kind: 'unauthenticated', retry: false, message: 'The e-mail or the password is wrong.' },
  email_unavailable: {
    kind: 'unauthenticated',
    retry: false,
    message: 'This e-mail cannot be registered; log in if it is yours.',
  },

  not_owner: { kind: 'forbidden', retry: false, message: 'This belongs to another user.' },
  origin_refused: {
    kind: 'forbidden',
    retry: false,
    message: 'Requests from this origin are refused: add it to CORS_ORIGINS.',
  },
  codehost_denied: { kind: 'forbidden', retry: false, message: 'You did not let Sluice use your account.' },
  password_wrong: { kind: 'forbidden', retry: false, message: 'The current password is wrong.' },
  account_disabled: {
    kind: 'forbidden',
    retry: false,
    message: 'This account was disabled: ask the operator of this server.',
  },
  registration_closed: {
    kind: 'forbidden',
    retry: false,
    message: 'Registration is closed on this server: ask its operator.',
  },

  session_not_found: { kind: 'not_found', retry: false, message: 'There is no such session, or it has ended.' },
  issue_not_found: { kind: 'not_found', retry: false, message: 'There is no such issue.' },
  repo_not_found: { kind: 'not_found', retry: false, message: 'There is no such repository.' },
  codehost_not_found: {
    kind: 'not_found',
    retry: false,
    message: 'The code host has no such thing, or does not show it to your account.',
  },
  route_not_found: { kind: 'not_found', retry: false, message: 'There is no such path.' },
  method_not_allowed: { kind: 'method_not_allowed', retry: false, message: 'This path does not answer that method.' },
  body_too_large: { kind: 'too_large', retry: false, message: 'The body is larger than 1 MiB.' },
  media_type_unsupported: {
    kind: 'unsupported_media_type',
    retry: false,
    message: 'Send the body as application/json.',
  },

  repo_busy: { kind: 'conflict', retry: false, message: 'Another issue is in progress on this repository.' },
  repo_exists: { kind: 'conflict', retry: false, message: 'You have registered this repository already.' },
  repo_has_active_issue: {
    kind: 'conflict',
    retry: false,
    message: 'The repository has an active issue: cancel it first.',
  },
  issue_not_pending: { kind: 'conflict', retry: false, message: 'Only a pending issue can be run.' },
  idempotency_key_reused: {
    kind: 'conflict',
    retry: false,
    message: 'This Idempotency-Key was sent with another request before: give each request a key of its own.',
  },
  idempotency_key_busy: {
    kind: 'conflict',
    retry: false,
    message: 'A request with this Idempotency-Key is still under way: send it again in a moment.',
  },
  issue_not_editable: {
    kind: 'conflict',
    retry: false,
    message: 'Only an issue that was not started can be changed.',
  },
  issue_not_failed: { kind: 'conflict', retry: false, message: 'Only a failed issue can be retried.' },
  issue_not_awaiting_approval: { kind: 'conflict', retry: false, message: 'The issue is not awaiting approval.' },
  plan_revision_stale: { kind: 'conflict', retry: false, message: 'The plan has changed since you saw it.' },
  base_branch_gone: {
    kind: 'conflict',
    retry: false,
    message: 'The base branch does not exist at the remote any more.',
  },
  plan_stale: { kind: 'conflict', retry: false, message: 'The base branch has moved in files that the plan changes.' },
  issue_not_running: {
    kind: 'conflict',
    retry: false,
    message: 'No agent is working on the issue: a note would not be read.',
  },
  budget_too_low: {
    kind: 'conflict',
    retry: false,
    message: 'The issue has used up its budget: retry it with a higher one.',
  },
  budget_fixed: {
    kind: 'forbidden',
    retry: false,
    message: 'This server does not let an issue have a higher budget than its own: ask its operator.',
  },
  issue_terminal: { kind: 'conflict', retry: false, message: 'The issue has ended already.' },
  issue_not_terminal: {
    kind: 'conflict',
    retry: false,
    message: 'Only an ended issue can be deleted for good: cancel it first.',
  },
  codehost_not_configured: {
    kind: 'conflict',
    retry: false,
    message: 'No code host is configured: the operator sets CODEHOST_CLIENT_ID and CODEHOST_CLIENT_SECRET.',
  },
  codehost_webhook_not_configured: {
    kind: 'conflict',
    retry: false,
    message: 'No webhook secret is configured: the operator sets CODEHOST_WEBHOOK_SECRET.',
  },
  codehost_not_linked: {
    kind: 'conflict',
    retry: false,
    message: 'You have not linked an account at the code host: link one first.',
  },
  codehost_relink_needed: {
    kind: 'conflict',
    retry: false,
    message: 'The code host takes your token no longer: link your account there again.',
  },
  repo_token_unreadable: {
    kind: 'conflict',
    retry: false,
    message: "The repository's access token can be read no longer: give it anew, or none.",
  },
  codehost_account_taken: {
    kind: 'conflict',
    retry: false,
    message: 'That account at the code host belongs to another user here.',
  },
  codehost_linked_to_another: {
    kind: 'conflict',
    retry: false,
    message: 'You are linked to another account at the code host: unlink that one first.',
  },
  codehost_only_login: {
    kind: 'conflict',
    retry: false,
    message: 'Without that account you could not log in any more: set a password first.',
  },
  codehost_forbidden: {
    kind: 'conflict',
    retry: false,
    message: 'Your account at the code host may not do this.',
  },
  repo_not_hosted: {
    kind: 'conflict',
    retry: false,
    message: 'This repository was registered by its URL: register it as `codehost_repo` to use its issues.',
  },
  issue_imported: { kind: 'conflict', retry: false, message: 'That issue has been imported already.' },
  issue_not_awaiting_publication: {
    kind: 'conflict',
    retry: false,
    message: 'The decision does not name the commit that waits to be published.',
  },

  rate_limited: { kind: 'rate_limited', retry: true, message: 'Too many requests.' },
  too_many_streams: { kind: 'rate_limited', retry: true, message: 'Too many event streams are open.' },
  not_ready: { kind: 'unavailable', retry: true, message: 'A service that Sluice depends on is unreachable.' },
  shutting_down: { kind: 'unavailable', retry: true, message: 'The server is shutting down: try again in a moment.' },

  codehost_busy: { kind: 'unavailable', retry: true, message: 'The code host asks to be called later.' },
  codehost_unavailable: { kind: 'upstream', retry: true, message: 'The code host could not be reached or failed.' },
  codehost_refused: { kind: 'upstream', retry: false, message: 'The code host refused the request.' },
  remote_unreachable: { kind: 'upstream', retry: true, message: 'The repository could not be reached.' },
  git_failed: { kind: 'pipeline', retry: true, message: 'A git operation failed.' },
  git_timeout: { kind: 'pipeline', retry: false, message: 'A git operation took too long.' },
  repo_too_large: {
    kind: 'pipeline',
    retry: false,
    message: 'The repository is larger than this server takes.',
  },
  push_rejected: { kind: 'pipeline', retry: false, message: 'The remote refused the branch.' },
  branch_taken: {
    kind: 'pipeline',
    retry: false,
    message: 'The branch already exists with commits that are not ours.',
  },
  workspace_lost: {
    kind: 'pipeline',
    retry: true,
    message: 'The working tree was lost, with the work in it: the round begins anew.',
  },
  workspace_unsafe: {
    kind: 'pipeline',
    retry: false,
    message: 'The repository holds something that Sluice does not touch.',
  },
  sandbox_unavailable: { kind: 'pipeline', retry: false, message: 'The sandbox cannot run commands on this host.' },
  sandbox_failed: { kind: 'pipeline', retry: true, message: 'The sandbox could not start a command.' },
  disk_limit: { kind: 'pipeline', retry: false, message: 'A command took too much of the disk.' },
  disk_full: { kind: 'unavailable', retry: true, message: 'The disk that holds the working trees is nearly full.' },
  setup_failed: { kind: 'pipeline', retry: false, message: 'The setup command failed.' },
  tests_red: { kind: 'pipeline', retry: false, message: 'The tests fail at the head.' },
  review_refused: { kind: 'pipeline', retry: false, message: 'The review asked for changes too often.' },
  agent_blocked: { kind: 'pipeline', retry: false, message: 'The agent could not do what the plan asks.' },
  agent_output_invalid: { kind: 'pipeline', retry: true, message: 'The agent gave an answer of the wrong shape.' },
  agent_turns_exceeded: { kind: 'pipeline', retry: false, message: 'The agent used up its turns.' },
  agent_stuck: { kind: 'pipeline', retry: false, message: 'The agent made the same call again and again.' },
  budget_exhausted: { kind: 'pipeline', retry: false, message: 'The budget of the issue is used up.' },
  model_key_refused: { kind: 'pipeline', retry: false, message: 'The model provider refused the API key.' },
  model_quota_exhausted: {
    kind: 'pipeline',
    retry: false,
    message: 'The account at the model provider is out of quota.',
  },
  model_not_found: { kind: 'pipeline', retry: false, message: 'The model provider does not know the model.' },
  model_request_refused: { kind: 'pipeline', retry: false, message: 'The model provider refused the request.' },
  model_context_full: {
    kind: 'pipeline',
    retry: false,
    message: "The work does not fit into the model's context window.",
  },
  model_answer_withheld: { kind: 'pipeline', retry: false, message: 'The model provider withheld the answer.' },
  model_overloaded: { kind: 'upstream', retry: true, message: 'The model provider asks to be called less often.' },
  model_unavailable: { kind: 'upstream', retry: true, message: 'The model provider could not be reached or failed.' },
  model_timeout: { kind: 'upstream', retry: true, message: 'The model did not end its answer in time.' },
  nothing_changed: { kind: 'pipeline', retry: false, message: 'The implementation changed no file.' },
  stage_timeout: { kind: 'pipeline', retry: false, message: 'The stage took longer than STAGE_TIMEOUT.' },

  tool_refused: { kind: 'pipeline', retry: false, message: 'The tool refused the call.' },
  internal: {
    kind: 'bug',
    retry: true,
    message: 'Something failed on the server. Its log has the details under this request id.',
  },
} as const satisfies Record<string, CatalogEntry>;

export type ErrorCode = keyof typeof errorCatalog;
