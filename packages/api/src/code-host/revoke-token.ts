import type { CodeHostIdentity } from '@sluice/core/code-host';
import type { RequestContext } from '../procedure/request-context.ts';

const REVOKE_MS = 5_000; // the user's answer waits for it, but does not depend on it

/** Revokes a token at the code host. A failure is only logged: the token is no longer stored here in any case. */
export async function revokeToken(
  { log, requestId }: Pick<RequestContext, 'log' | 'requestId'>,
  identity: Pick<CodeHostIdentity, 'revoke'>,
  token: string,
): Promise<void> {
  try {
    await identity.revoke(token, AbortSignal.timeout(REVOKE_MS));
  } catch (error) {
    log.warn({ request_id: requestId, err: error }, 'a token at the code host could not be revoked');
  }
}
