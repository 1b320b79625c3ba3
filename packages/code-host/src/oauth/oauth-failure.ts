import { AppError } from '@sluice/core/error';
import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'oauth4webapi';

const REGISTRATION =
  'The code host rejected the OAuth application of this server. The operator has to check CODEHOST_CLIENT_ID, CODEHOST_CLIENT_SECRET and the callback URL.';

/** Error codes of the host for a wrong configuration, which the operator has to fix. */
const misconfigured = new Set([
  'incorrect_client_credentials',
  'invalid_client',
  'redirect_uri_mismatch',
  'application_suspended',
  'unauthorized_client',
  'invalid_scope',
  'unsupported_response_type',
  'unsupported_grant_type',
]);

/** Error codes of the host for a code or a refresh token that is no longer valid. */
const spent = new Set(['bad_verification_code', 'bad_refresh_token', 'invalid_grant', 'expired_token']);

/**
 * Maps a failed step of OAuth to an error of Sluice. The library's errors hold the host's whole response, including tokens, so
 * only their messages are passed on.
 *
 * @param onSpent the error code for a grant that is no longer valid
 */
export function oauthFailure(thrown: unknown, onSpent: 'codehost_state_invalid' | 'codehost_relink_needed'): unknown {
  if (thrown instanceof AppError || !(thrown instanceof Error)) return thrown;
  const cause = new Error(`${thrown.name}: ${thrown.message}`);
  if (thrown instanceof WWWAuthenticateChallengeError) return unavailable(REGISTRATION, cause);
  const code = thrown instanceof AuthorizationResponseError || thrown instanceof ResponseBodyError ? thrown.error : '';
  if (code === 'access_denied') return new AppError('codehost_denied', {}, { cause });
  if (code === 'unverified_user_email') {
    return new AppError('codehost_denied', { detail: 'Verify your e-mail address at the code host first.' }, { cause });
  }
  if (spent.has(code)) return new AppError(onSpent, {}, { cause });
  return unavailable(misconfigured.has(code) ? REGISTRATION : undefined, cause);
}

function unavailable(detail: string | undefined, cause: Error): AppError {
  return new AppError('codehost_unavailable', detail === undefined ? {} : { detail }, { cause });
}
