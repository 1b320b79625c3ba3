import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isSluiceError, type SluiceClient } from '@sluice/client';
import { nextStatus } from '@sluice/core';
import { hasOwnDataDir, ownCommand, personalDataDir } from './config.ts';
import { CommandError, type ExitCode, exitCode } from './exit-code.ts';
import { interruptible } from './interruptible.ts';
import { readIssueFile } from './issue-file.ts';
import { openLocalServer } from './local-server.ts';
import { createOutput } from './output.ts';
import { repoAddress } from './repo-address.ts';
import { appErrorCode, serverRefusal } from './server-refusal.ts';
import { shellWord } from './shell-word.ts';
import { plainLine } from './view/plain-text.ts';
import { workOnIssue } from './work-on-issue.ts';

export interface RunOnRepoOptions {
  /** A folder or a URL. */
  readonly repo: string;
  /** A file or `-`; absent: the repository's active issue is gone on with, or its last one is tried again. */
  readonly issue?: string;
  readonly title?: string;
  readonly base?: string;
  /** How the repository is set up and tested, where that is not left to what its files say; kept for later runs. */
  readonly setup?: string;
  readonly setupNetwork?: true;
  readonly test?: string;
  /** Whether to ask at the gate where a person is there. */
  readonly wait: boolean;
  readonly yes: boolean;
  readonly json: boolean;
}

/** Registers the repository with a server of this command's own, works on the issue there, and prints how it ended. */
export async function runOnRepo(options: RunOnRepoOptions): Promise<ExitCode> {
  const output = createOutput({ json: options.json });
  const draft = options.issue === undefined ? null : await readIssueFile(options.issue, options.title);
  const address = await repoAddress(options.repo);
  await using server = await openLocalServer(dataDirFor(address));
  if (server.sandboxWarning !== null) output.talk(output.talkStyle('yellow', server.sandboxWarning));
  return await interruptible(
    async (signal) => {
      const repoId = await registerRepo(server.client, address);
      await keepCommands(server.client, repoId, options);
      const issueId =
        draft === null
          ? await issueToGoOnWith(server.client, repoId)
          : await createIssue(server.client, {
              repoId,
              draft,
              ...(options.base === undefined ? {} : { base: options.base }),
            });
      const canAsk =
        options.wait && options.issue !== '-' && process.stdin.isTTY === true && process.stderr.isTTY === true;
      const howToDecide = `At a terminal: ${howToGoOn(address)}  (or with --yes to approve it)`;
      output.talk(`${output.talkStyle('bold', 'Repository')}  ${plainLine(address)}`);
      const worked = await workOnIssue(server.client, output, {
        issueId,
        yes: options.yes,
        canAsk,
        howToDecide,
        signal,
      });
      if (worked.branch !== null) output.talk(`\nTake it over:  ${howToTake(address, worked.branch)}`);
      if (worked.code === exitCode.pipelineFailed) output.talk(`\nTry it again from there:  ${howToGoOn(address)}`);
      return worked.code;
    },
    () => output.talk(`\nInterrupted. Nothing is lost; go on with: ${howToGoOn(address)}`),
  );
}

/** One folder per repository: two runs on different repositories must not wait for each other's database. */
function dataDirFor(address: string): string {
  if (hasOwnDataDir()) return personalDataDir();
  const name = basename(address)
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .slice(0, 40);
  const digest = createHash('sha256').update(address).digest('hex').slice(0, 12);
  return join(personalDataDir(), 'run', `${name}-${digest}`);
}

async function registerRepo(client: SluiceClient, url: string): Promise<string> {
  try {
    return (await client.repos.create.mutate({ url })).id;
  } catch (error) {
    const known = isSluiceError(error) ? error.body.repo_id : null;
    if (typeof known === 'string') return known;
    throw error;
  }
}

async function keepCommands(client: SluiceClient, repoId: string, options: RunOnRepoOptions): Promise<void> {
  const { setup, setupNetwork, test } = options;
  if (setup === undefined && setupNetwork === undefined && test === undefined) return;
  await client.repos.update.mutate({
    id: repoId,
    ...(setup === undefined ? {} : { setup_command: setup }),
    ...(test === undefined ? {} : { test_command: test }),
    ...(setupNetwork === undefined ? {} : { settings: { setup_network: setupNetwork } }),
  });
}

async function createIssue(
  client: SluiceClient,
  request: { repoId: string; draft: { title: string; body: string }; base?: string },
): Promise<string> {
  const { repoId, draft, base } = request;
  try {
    return (
      await client.issues.create.mutate({
        repo_id: repoId,
        ...draft,
        ...(base === undefined ? {} : { base_branch: base }),
      })
    ).id;
  } catch (error) {
    if (!isSluiceError(error) || typeof error.body.active_issue_id !== 'string') throw error;
    throw new CommandError(
      exitCode.conflict,
      'An issue is in progress on this repository already: go on with it by --continue instead of --issue, and reject its plan if it is in the way.',
    );
  }
}

/** The active issue, or the last one, tried again, when that has failed. */
async function issueToGoOnWith(client: SluiceClient, repoId: string): Promise<string> {
  const { active_issue_id: issueId } = await client.repos.get.query({ id: repoId });
  if (issueId !== null) return issueId;
  const [last] = (await client.issues.list.query({ repo_id: repoId, limit: 1 })).items;
  if (last !== undefined && nextStatus(last.status, 'retried') !== null) {
    return await tryAgain(client, last.id);
  }
  throw new CommandError(exitCode.notFound, 'No issue is in progress on this repository: start one with --issue FILE.');
}

async function tryAgain(client: SluiceClient, id: string): Promise<string> {
  try {
    return (await client.issues.retry.mutate({ id })).id;
  } catch (error) {
    if (appErrorCode(error) !== 'budget_too_low') throw error;
    const limits = 'ISSUE_BUDGET_TOKENS, ISSUE_BUDGET_USD or ISSUE_BUDGET_TIME';
    const detail = serverRefusal(error)?.message ?? '';
    throw new CommandError(exitCode.conflict, `${detail} Here that is done by a higher ${limits} in the environment.`);
  }
}

function howToGoOn(address: string): string {
  return `${ownCommand()} run --repo ${shellWord(address)} --continue`;
}

/** The shell command that brings a published branch into what the person works on. */
function howToTake(address: string, branch: string): string {
  const isWorkTree = existsSync(join(address, '.git'));
  return isWorkTree
    ? `git -C ${shellWord(address)} merge ${shellWord(branch)}`
    : `git pull ${shellWord(address)} ${shellWord(branch)}`;
}
