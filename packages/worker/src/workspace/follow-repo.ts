import { AppError, type ErrorCode } from '@sluice/core/error';
import { currentRepo, type Repo } from '@sluice/core/repo';
import type { StageContext } from '../stage/stage-context.ts';

export type RepoPorts = 'repos' | 'codehost' | 'codehostTokens';

/** Updates the stage's repository to its current address at the code host. @throws what `currentRepo` throws */
export async function followRepo(stage: StageContext<RepoPorts>): Promise<void> {
  const { deps, signal } = stage;
  const { repos, codehost, codehostTokens } = deps;
  const context = { repos, codehost: codehost === null ? null : { host: codehost }, codehostTokens };
  stage.repo = await currentRepo(context, stage.repo, signal);
}

/** How git reports that a repository is no longer at its address: it follows no redirect. */
const MOVED: readonly ErrorCode[] = ['remote_unreachable', 'remote_not_found', 'codehost_not_found'];

/** Runs work that may need the remote, and repeats it once if the repository has moved. */
export async function retryAfterRelocation<T>(
  stage: StageContext<RepoPorts>,
  work: (repo: Repo) => Promise<T>,
): Promise<T> {
  const { repo } = stage;
  try {
    return await work(repo);
  } catch (error) {
    if (!(error instanceof AppError) || !MOVED.includes(error.code)) throw error;
    stage.signal.throwIfAborted();
    await followRepo(stage).catch((failure: unknown) => {
      if (!(failure instanceof AppError)) throw failure;
      throw error; // the failure of the work itself counts
    });
    if (stage.repo.url === repo.url) throw error;
    return await work(stage.repo);
  }
}
