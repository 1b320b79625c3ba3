import type { Session } from '@sluice/core/account';
import type { ApiToken } from '@sluice/core/api-token';
import { AppError } from '@sluice/core/error';

/** What a caller is known by: a session, or an API token. */
export type Credential =
  | { readonly session: Session; readonly token?: null }
  | { readonly session: null; readonly token: ApiToken };

/** What a caller is known by, without the user. */
export function credentialOf({ session, token }: Credential): Credential {
  return session === null ? { session, token } : { session };
}

/** The id of the session or token. */
export function credentialId({ session, token }: Credential): string {
  return session === null ? token.id : session.id;
}

/** The refusal of a credential that has ended. */
export function endedCredential({ session }: Pick<Credential, 'session'>): AppError {
  return new AppError(session === null ? 'token_invalid' : 'session_missing');
}
