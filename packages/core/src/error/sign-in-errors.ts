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
    message: 'Your account is not linked to this provider.',
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
    message: 'You could not log in without your account at the provider. Set up another way first.',
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
