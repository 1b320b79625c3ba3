import { onOrOff, text, type Variable } from './variable.ts';

/** Sign-in at OpenID providers, and whether passwords are accepted beside it. */
export const singleSignOnVariables = {
  OIDC_PROVIDERS: {
    meaning:
      'Path of a JSON file with the OpenID providers at which users can log in; single-sign-on.md describes it. It is read once, at start.',
    unset: 'none',
    example: '/etc/sluice/oidc.json',
    schema: text.min(1, 'is empty'),
  },
  PASSWORDS: {
    meaning:
      'Whether users can log in with a password: off needs OIDC_PROVIDERS or a code host. Then no account can be made with a password either.',
    default: 'on',
    example: 'off',
    schema: onOrOff,
  },
} as const satisfies Record<string, Variable>;
