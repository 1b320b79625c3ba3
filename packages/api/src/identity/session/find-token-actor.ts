import { type ApiToken, type ApiTokenStore, hashApiToken, isTokenLive } from '@sluice/core/api-token';
import type { Clock } from '@sluice/core/async';
import { AppError } from '@sluice/core/error';
import type { TokenActor } from './actor.ts';

/**
 * The caller that the text of an API token names, or the refusal. Every text costs the same: one look-up of its hash. Only for an
 * expired token does the refusal say why, which only a client with the whole token can learn.
 */
export async function findTokenActor(
  deps: {
    readonly apiTokens: Pick<ApiTokenStore, 'find'>;
    readonly clock: Clock;
    readonly noteTokenUse: (token: ApiToken, userAgent: string | undefined) => Promise<void>;
  },
  { text, userAgent }: { readonly text: string; readonly userAgent: string | undefined },
): Promise<TokenActor | AppError> {
  const found = await deps.apiTokens.find({ hash: hashApiToken(text) });
  if (found === null || found.isDisabled || found.token.revokedAt !== null) return new AppError('token_invalid');
  const { token, user } = found;
  if (!isTokenLive(token, deps.clock.now())) return new AppError('token_expired');
  await deps.noteTokenUse(token, userAgent);
  return { user, session: null, token };
}
