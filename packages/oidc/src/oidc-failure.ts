import { AppError, type ErrorCode } from '@sluice/core/error';
import { errors as joseErrors } from 'jose';
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';

/** Answers of a provider that fails, or is not set up for this server. */
const failing = new Set(['server_error', 'temporarily_unavailable']);
const misconfigured = new Set([
  'invalid_client',
  'invalid_scope',
  'invalid_request',
  'unauthorized_client',
  'unsupported_response_type',
  'redirect_uri_mismatch',
]);

/** What the client library checks of a response or a token, by its codes. */
const untrusted = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_UNSUPPORTED_OPERATION',
  'OAUTH_PARSE_ERROR',
]);

/**
 * Maps a failed step to an error of Sluice. The library's errors hold whole responses, with tokens, so only their messages are
 * passed on.
 *
 * @param onUntrusted the error for an answer that is not what was asked for
 */
export function oidcFailure(thrown: unknown, name: string, onUntrusted: ErrorCode): unknown {
  const own = appErrorIn(thrown);
  if (own !== null) return own;
  if (!(thrown instanceof Error)) return thrown;
  const cause = new Error(`${thrown.name}: ${thrown.message}${reasonOf(thrown.cause)}`);
  if (thrown instanceof joseErrors.JOSEError) return new AppError('oidc_token_invalid', {}, { cause });
  const refusal =
    thrown instanceof AuthorizationResponseError || thrown instanceof ResponseBodyError ? thrown.error : null;
  if (refusal === 'invalid_grant') return new AppError('oidc_state_invalid', {}, { cause });
  if (thrown instanceof WWWAuthenticateChallengeError || (refusal !== null && misconfigured.has(refusal))) {
    const detail = `${name} rejected this server as its client. The operator has to check the client id, its secret and the redirect URI.`;
    return new AppError('oidc_unavailable', { detail }, { cause });
  }
  if (refusal !== null && !failing.has(refusal)) return new AppError('oidc_denied', {}, { cause });
  if (thrown instanceof ClientError && untrusted.has(thrown.code ?? ''))
    return new AppError(onUntrusted, {}, { cause });
  return new AppError('oidc_unavailable', { detail: `${name} could not be reached or failed.` }, { cause });
}

/** The error of our own fetch, which the library wraps. */
export function appErrorIn(thrown: unknown): AppError | null {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof AppError) return error;
  }
  return null;
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? ` (${cause.message})` : '';
}
