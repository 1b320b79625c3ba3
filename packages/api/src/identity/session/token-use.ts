import type { ApiToken, ApiTokenStore } from '@sluice/core/api-token';
import type { ApiDeps } from '../../service/api-deps.ts';
import { clientName } from './client-name.ts';

/** Minimum interval between records of a token's use, so that reads do not become writes. */
const USED_EVERY_MS = 60_000;

interface UseDeps extends Pick<ApiDeps, 'clock' | 'log'> {
  readonly apiTokens: Pick<ApiTokenStore, 'touch'>;
}

/**
 * Records that an API token is in use and by which program, unless that was done a moment ago. One of several concurrent requests
 * waits for the write. A failed write does not fail the request.
 */
export function createTokenUse({ apiTokens, clock, log }: UseDeps) {
  const underWay = new Set<string>();
  return async ({ id, lastUsedAt }: ApiToken, userAgent: string | undefined): Promise<void> => {
    const unusedSince = new Date(clock.now().getTime() - USED_EVERY_MS);
    if ((lastUsedAt !== null && lastUsedAt >= unusedSince) || underWay.has(id)) return;
    underWay.add(id);
    try {
      await apiTokens.touch(id, { unusedSince, client: clientName(userAgent) });
    } catch (error) {
      log.warn({ err: error }, 'the use of an API token could not be recorded');
    } finally {
      underWay.delete(id);
    }
  };
}
