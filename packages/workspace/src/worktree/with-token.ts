import { AppError } from '@sluice/core/error';
import type { RepoAccess } from '@sluice/core/workspace';

/**
 * Runs a call at a repository's remote with its token. An account's token ends when its user signs in again or it is
 * refreshed, also under way: refused then, the call is made once more, with the token that there is now.
 */
export async function withToken<T>(
  repo: RepoAccess,
  signal: AbortSignal,
  run: (token: string | null) => Promise<T>,
): Promise<T> {
  const token = await repo.token(signal);
  try {
    return await run(token);
  } catch (error) {
    const isRefused = error instanceof AppError && error.code === 'codehost_relink_needed';
    const now = isRefused ? await repo.token(signal) : token;
    if (now === token) throw error;
    return await run(now);
  }
}
