import { AppError } from '@sluice/core';
import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'oauth4webapi';

const REGISTRATION =
  'The code host does not take this server for the application that it is configured as: its operator checks CODEHOST_CLIENT_ID, CODEHOST_CLIENT_SECRET and the callback URL.';

/** The host's words for what the server's operator has to mend. */
const unregistered = new Set([
  'incorrect_client_credentials',
  'invalid_client',
  'redirect_uri_mismatch',
  'application_suspended',
  'unauthorized_client',
  'invalid_scope',
  'unsupported_response_type',
  'unsupported_grant_type',
]);

/** The host's words for a code or a refresh token that it takes no longer. */
const spent = new Set(['bad_verification_code', 'bad_refresh_token', 'invalid_grant', 'expired_token']);

/**
 * What a failed step of OAuth means here. The library's errors hold the host's whole answer, tokens included, so of
 * them only the sentence goes on.
 *
 * @param onSpent the code for a grant that the host takes no longer
 */
export function oauthFailure(thrown: unknown, onSpent: 'codehost_state_invalid' | 'codehost_relink_needed'): unknown {
  if (thrown instanceof AppError || !(thrown instanceof Error)) return thrown;
  const cause = new Error(`${thrown.name}: ${thrown.message}`);
  if (thrown instanceof WWWAuthenticateChallengeError) return unavailable(REGISTRATION, cause);
  const word = thrown instanceof AuthorizationResponseError || thrown instanceof ResponseBodyError ? thrown.error : '';
  if (word === 'access_denied') return new AppError('codehost_denied', {}, { cause });
  if (word === 'unverified_user_email') {
    return new AppError('codehost_denied', { detail: 'Verify your e-mail address at the code host first.' }, { cause });
  }
  if (spent.has(word)) return new AppError(onSpent, {}, { cause });
  return unavailable(unregistered.has(word) ? REGISTRATION : undefined, cause);
}

function unavailable(detail: string | undefined, cause: Error): AppError {
  return new AppError('codehost_unavailable', detail === undefined ? {} : { detail }, { cause });
}
