import { AppError, currentRepo, type ErrorCode, type Repo } from '@sluice/core';
import type { StageContext } from '../stage/stage-context.ts';

/** Has the stage go on with the repository where the code host has it now. @throws what `currentRepo` throws */
export async function followRepo(stage: StageContext): Promise<void> {
  const { deps, signal } = stage;
  const { repos, codehost, codehostTokens } = deps;
  const context = { repos, codehost: codehost === null ? null : { host: codehost }, codehostTokens };
  stage.repo = await currentRepo(context, stage.repo, signal);
}

/** How git says that a repository is not where it was: it follows no redirect. */
const MOVED: readonly ErrorCode[] = ['remote_unreachable', 'codehost_not_found'];

/** Does what may or may not need the remote, and once more where that was elsewhere by now. */
export async function retryAfterRelocation<T>(stage: StageContext, work: (repo: Repo) => Promise<T>): Promise<T> {
  const { repo } = stage;
  try {
    return await work(repo);
  } catch (error) {
    if (!(error instanceof AppError) || !MOVED.includes(error.code)) throw error;
    stage.signal.throwIfAborted();
    await followRepo(stage).catch((failure: unknown) => {
      if (!(failure instanceof AppError)) throw failure;
      throw error; // what was to be done failed first
    });
    if (stage.repo.url === repo.url) throw error;
    return await work(stage.repo);
  }
}
