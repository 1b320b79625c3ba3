import type { CodeHostIdentity } from '@sluice/core';
import type { RequestContext } from '../procedure/request-context.ts';

const PATIENCE_MS = 5_000; // somebody waits for an answer that does not depend on it

/** Tells the code host that a token is not needed any more. When that cannot be, the token is only not kept here. */
export async function revokeToken(
  { log, requestId }: Pick<RequestContext, 'log' | 'requestId'>,
  identity: Pick<CodeHostIdentity, 'revoke'>,
  token: string,
): Promise<void> {
  try {
    await identity.revoke(token, AbortSignal.timeout(PATIENCE_MS));
  } catch (error) {
    log.warn({ request_id: requestId, err: error }, 'a token at the code host could not be revoked');
  }
}
