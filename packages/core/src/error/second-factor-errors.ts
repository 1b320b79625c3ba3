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
