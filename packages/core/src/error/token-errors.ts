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
