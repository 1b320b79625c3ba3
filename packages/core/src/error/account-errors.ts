import type { CatalogEntry } from './error-kind.ts';

/** Errors of ways to log in, and of accounts at OpenID providers. */
export const signInErrors = {
  oidc_state_invalid: {
    kind: 'invalid',
    retry: false,
    message: 'This sign-in has expired, was used before or was started in another browser. Start again.',
  },
  oidc_logout_token_invalid: { kind: 'invalid', retry: false, message: 'The logout token is not valid.' },
  oidc_denied: { kind: 'forbidden', retry: false, message: 'The sign-in was refused at the provider.' },
  oidc_group_required: {
    kind: 'forbidden',
    retry: false,
    message: 'Your account at the provider is in none of the groups that may use this server.',
  },
  oidc_provider_not_found: { kind: 'not_found', retry: false, message: 'There is no such provider on this server.' },
  oidc_not_linked: {
    kind: 'conflict',
    retry: false,
    message: 'Your account is not linked to this provider. Link it in the settings first.',
  },
  oidc_account_taken: {
    kind: 'conflict',
    retry: false,
    message: 'This provider account is already linked to another user.',
  },
  oidc_linked_to_another: {
    kind: 'conflict',
    retry: false,
    message: 'You are linked to another account at this provider. Unlink that one first.',
  },
  oidc_only_login: {
    kind: 'conflict',
    retry: false,
    message: 'Your account at the provider is your only way to log in. Set up another way before you unlink it.',
  },
  oidc_unavailable: { kind: 'upstream', retry: true, message: 'The provider could not be reached or failed.' },
  oidc_token_invalid: {
    kind: 'upstream',
    retry: false,
    message: 'The provider sent a token that is not valid, so no one was logged in.',
  },
  password_login_disabled: {
    kind: 'unauthenticated',
    retry: false,
    message: 'This server accepts no passwords. Log in in another way.',
  },
  email_unavailable: {
    kind: 'unauthenticated',
    retry: false,
    message: 'This e-mail cannot be registered. If it is yours, log in.',
  },
} as const satisfies Record<string, CatalogEntry>;

/** The part of the catalogue that is about second factors. */
export const secondFactorErrors = {
  second_factor_required: {
    kind: 'unauthenticated',
    retry: false,
    message: 'The password is right. Complete the login with your second factor.',
  },
  second_factor_wrong: {
    kind: 'unauthenticated',
    retry: false,
    message: 'The code or the passkey is wrong, or the code was used before.',
  },
  second_factor_challenge_invalid: {
    kind: 'unauthenticated',
    retry: false,
    message: 'This login has expired, was completed, or had too many attempts. Log in again.',
  },
  second_factor_enrollment_required: {
    kind: 'forbidden',
    retry: false,
    message: 'This server requires a second factor. Set one up before anything else.',
  },
  second_factor_not_found: { kind: 'not_found', retry: false, message: 'There is no such second factor.' },
  account_without_password: {
    kind: 'conflict',
    retry: false,
    message: 'Your account has no password, so it needs no second factor. Set a password first.',
  },
  second_factors_full: {
    kind: 'conflict',
    retry: false,
    message: 'You have as many second factors as one account may have. Remove one first.',
  },
  second_factor_last: {
    kind: 'conflict',
    retry: false,
    message: 'This server requires a second factor, and this is your last one. Add another one first.',
  },
  second_factor_absent: {
    kind: 'conflict',
    retry: false,
    message: 'Your account has no second factor, so it has no recovery codes.',
  },
  enrollment_expired: {
    kind: 'conflict',
    retry: false,
    message: 'This enrollment has expired, was completed, or had too many attempts. Start again.',
  },
  passkey_exists: { kind: 'conflict', retry: false, message: 'This passkey is registered already.' },
  passkeys_unavailable: {
    kind: 'conflict',
    retry: false,
    message: 'Passkeys need a server with a host name: PUBLIC_URL is an address. Use an authenticator app.',
  },
  second_factor_paused: {
    kind: 'rate_limited',
    retry: true,
    message: 'Too many wrong codes were given at this account. Use a passkey or a recovery code, or wait.',
  },
} as const;

/** Errors of invitations. */
export const invitationErrors = {
  invitation_invalid: {
    kind: 'invalid',
    retry: false,
    message:
      'This invitation was used, has expired, was taken back, or is for another e-mail. Ask the person who invited you for another one.',
  },
  invitation_required: {
    kind: 'forbidden',
    retry: false,
    message: 'This server takes new accounts by invitation only. Ask its operator for one.',
  },
  invitation_not_found: {
    kind: 'not_found',
    retry: false,
    message: 'The invitation does not exist, was used or was taken back.',
  },
  invitation_for_account: {
    kind: 'conflict',
    retry: false,
    message: 'An account on this server has this e-mail already.',
  },
  invitations_full: {
    kind: 'conflict',
    retry: false,
    message: 'You have as many open invitations as one user may have. Take one back first.',
  },
  invitations_off: {
    kind: 'conflict',
    retry: false,
    message: 'You may not invite on this server. Its operator can set REGISTRATION=invite and INVITATIONS=admins.',
  },
} as const satisfies Record<string, CatalogEntry>;

/** The part of the catalogue that is about API tokens. */
export const tokenErrors = {
  credentials_ambiguous: {
    kind: 'invalid',
    retry: false,
    message: 'The request has several credentials. Send either the session cookie or one API token.',
  },
  token_invalid: { kind: 'unauthenticated', retry: false, message: 'The API token is not valid on this server.' },
  token_expired: { kind: 'unauthenticated', retry: false, message: 'The API token has expired. Create another one.' },
  token_scope_insufficient: {
    kind: 'forbidden',
    retry: false,
    message: 'The scope of the API token does not allow this.',
  },
  session_required: {
    kind: 'forbidden',
    retry: false,
    message: 'An API token cannot do this, whatever its scope. Log in, and use the session.',
  },
  api_token_not_found: { kind: 'not_found', retry: false, message: 'The API token does not exist or was revoked.' },
  api_tokens_full: {
    kind: 'conflict',
    retry: false,
    message: 'You have as many API tokens as one user may have. Revoke one first.',
  },
  api_tokens_off: {
    kind: 'conflict',
    retry: false,
    message: 'This server takes no API tokens. Its operator can set API_TOKENS=on.',
  },
} as const;
