import { isSluiceError, type SluiceClient } from '@sluice/client';
import { nextStatus } from '@sluice/core/issue';
import type { LocalModel } from '../local/local-model.ts';
import { appErrorCode, serverRefusal } from '../session/server-refusal.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';
import type { RepoSettings } from './repo-settings.ts';

/** How the repository is set up and tested. Null: as detected from its files. Left out: as it is. */
export interface RunSettings {
  readonly setup?: string | null;
  readonly test?: string | null;
  readonly settings?: RepoSettings;
}

export interface NewIssue {
  readonly title: string;
  readonly body: string;
  readonly base_branch?: string;
}

/**
 * Creates the issue on an idle repository, with the settings. A refused issue leaves the settings as they were.
 *
 * @param request `queue`: whether it waits on a busy repository, which a server starts by itself later
 * @returns the issue, or the active one that is in the way
 */
export async function startIssue(
  client: SluiceClient,
  request: {
    readonly repoId: string;
    readonly issue: NewIssue;
    readonly settings: RunSettings;
    readonly queue: boolean;
  },
): Promise<{ readonly id: string } | { readonly busy: string }> {
  const { repoId, issue, settings, queue } = request;
  if (!queue) {
    const { active_issue_id: active } = await client.repos.get.query({ id: repoId });
    if (active !== null) return { busy: active };
  }
  try {
    return await withSettings(client, { repoId, settings }, async () => {
      const { id } = await client.issues.create.mutate({ repo_id: repoId, ...issue, ...(queue ? { queue } : {}) });
      return { id };
    });
  } catch (error) {
    if (!isSluiceError(error) || typeof error.body.active_issue_id !== 'string') throw error;
    return { busy: error.body.active_issue_id };
  }
}

/**
 * The active issue, or the last one if it failed, which is then retried.
 *
 * @param request `model` is what this process knows of its model; null on a server
 * @returns its id
 */
export async function continueIssue(
  client: SluiceClient,
  request: { readonly repoId: string; readonly settings: RunSettings; readonly model: LocalModel | null },
): Promise<string> {
  const { repoId, settings, model } = request;
  const { active_issue_id: active } = await client.repos.get.query({ id: repoId });
  if (active !== null) return await withSettings(client, { repoId, settings }, async () => active);
  const [last] = (await client.issues.list.query({ repo_id: repoId, limit: 1 })).items;
  if (last !== undefined && nextStatus(last.status, 'retried') !== null) {
    model?.requireFor(last);
    return await withSettings(client, { repoId, settings }, () => retryIssue(client, last.id));
  }
  throw new CommandError(exitCode.notFound, 'No issue is in progress on this repository. Start one with --issue FILE.');
}

async function retryIssue(client: SluiceClient, id: string): Promise<string> {
  try {
    return (await client.issues.retry.mutate({ id })).id;
  } catch (error) {
    if (appErrorCode(error) !== 'budget_too_low') throw error;
    const limits = 'ISSUE_BUDGET_TOKENS, ISSUE_BUDGET_USD or ISSUE_BUDGET_TIME';
    const detail = serverRefusal(error)?.message ?? '';
    throw new CommandError(exitCode.conflict, `${detail} To raise it, set a higher ${limits} in the environment.`);
  }
}

/** Stores the settings for `work`, which starts the pipeline; when it is refused, they are as before. */
async function withSettings<T>(
  client: SluiceClient,
  { repoId, settings }: { readonly repoId: string; readonly settings: RunSettings },
  work: () => Promise<T>,
): Promise<T> {
  const { setup, test, settings: changed } = settings;
  if (setup === undefined && test === undefined && changed === undefined) return await work();
  const before = await client.repos.get.query({ id: repoId });
  await client.repos.update.mutate({
    id: repoId,
    ...(setup === undefined ? {} : { setup_command: setup }),
    ...(test === undefined ? {} : { test_command: test }),
    ...(changed === undefined ? {} : { settings: changed }),
  });
  try {
    return await work();
  } catch (error) {
    const { setup_command, test_command, settings: stored } = before;
    await client.repos.update.mutate({ id: repoId, setup_command, test_command, settings: stored });
    throw error;
  }
}
