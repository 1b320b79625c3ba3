import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isSluiceError, type SluiceClient } from '@sluice/client';
import { nextStatus } from '@sluice/core';
import { followIssue } from '../follow/follow-issue.ts';
import { readIssueFile } from '../local/issue-file.ts';
import { type RepoReference, repoAddress, repoReference } from '../local/repo-address.ts';
import { shortId } from '../render/short-id.ts';
import { chosenServer, noServer } from '../session/known-servers.ts';
import { appErrorCode, serverRefusal } from '../session/server-refusal.ts';
import { isAtTerminal } from '../terminal/at-terminal.ts';
import { hasOwnDataDir, ownCommand, personalDataDir } from '../terminal/environment.ts';
import { CommandError, type ExitCode, exitCode } from '../terminal/exit-code.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { createOutput, type Output, type OutputOptions } from '../terminal/output.ts';
import { plainLine } from '../terminal/plain-text.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { type ConfigurationOptions, configurationFlags, configurationOf } from './configuration-options.ts';

export interface RunOnRepoOptions extends ConfigurationOptions, OutputOptions {
  /** A folder or a URL; with a server, also `owner/name` at the code host. */
  readonly repo: string;
  /** The server to use. */
  readonly url?: string;
  /** Use the known server. Without it and `url`, an embedded one. */
  readonly server?: true;
  /** A file or `-`. Without it, the repository's active issue is continued, or its last one is retried. */
  readonly issue?: string;
  readonly title?: string;
  readonly base?: string;
  /** The commands that set up and test the repository, if not detected from its files. Stored for later runs. */
  readonly setup?: string;
  readonly setupNetwork?: true;
  readonly test?: string;
  /** Whether to wait for a decision at the gate. */
  readonly wait: boolean;
  readonly yes: boolean;
  /** Print the whole output of every command. */
  readonly verbose?: true;
}

/** Registers the repository with the embedded server or the one that is asked for, follows the issue there, and prints its result. */
export async function runOnRepo(options: RunOnRepoOptions): Promise<ExitCode> {
  const output = createOutput(options);
  const url = await serverFor(options);
  const draft = options.issue === undefined ? null : await readIssueFile(options.issue, options.title);
  const repo = url === null ? { url: await repoAddress(options.repo) } : await repoReference(options.repo);
  if (url !== null) {
    const { asUser, clientOf } = await import('../session/remote.ts');
    const client = clientOf(url);
    output.message(`${output.messageStyle('bold', 'Server')}      ${url}`);
    return await asUser({ url }, () => runIssue({ client, output, options, draft, repo, isRemote: true }));
  }
  const { noteIgnoredDotEnv, openLocalServer } = await import('../local/local-server.ts');
  const configuration = configurationOf(options);
  noteIgnoredDotEnv(output, configuration);
  await using server = await openLocalServer(dataDirFor(addressOf(repo)), configuration);
  if (server.sandboxWarning !== null) output.message(output.messageStyle('yellow', server.sandboxWarning));
  return await runIssue({ client: server.client, output, options, draft, repo, isRemote: false });
}

/** The server that the options name; null to work here. A login alone never moves the work to a server. */
async function serverFor({ server, url }: Pick<RunOnRepoOptions, 'server' | 'url'>): Promise<string | null> {
  if (server === undefined && url === undefined) return null;
  return (await chosenServer(url)) ?? noServer();
}

interface Run {
  readonly client: SluiceClient;
  readonly output: Output;
  readonly options: RunOnRepoOptions;
  readonly draft: { title: string; body: string } | null;
  readonly repo: RepoReference;
  readonly isRemote: boolean;
}

function addressOf(repo: RepoReference): string {
  return 'url' in repo ? repo.url : repo.codehost_repo;
}

async function runIssue({ client, output, options, draft, repo, isRemote }: Run): Promise<ExitCode> {
  const address = addressOf(repo);
  let watchCommand = `${ownCommand()} issues list`;
  const continueHere = `${ownCommand()} run --repo ${shellWord(address)} --continue${configurationFlags(options)}`;
  const continueWith = () => (isRemote ? watchCommand : continueHere);
  return await interruptible(
    async (signal) => {
      const repoId = await registerRepo(client, repo);
      await storeCommands(client, repoId, options);
      const base = options.base === undefined ? {} : { base: options.base };
      const issueId =
        draft === null ? await issueToContinue(client, repoId) : await createIssue(client, { repoId, draft, ...base });
      watchCommand = `${ownCommand()} issues watch ${shortId(issueId)}`;
      output.message(`${output.messageStyle('bold', 'Repository')}  ${plainLine(address)}`);
      const followed = await followIssue(client, output, {
        issueId,
        yes: options.yes,
        verbose: options.verbose,
        canAsk: options.wait && options.issue !== '-' && isAtTerminal(),
        // With an embedded server no other user could decide.
        wait: options.wait && isRemote,
        howToDecide: (gate) =>
          isRemote
            ? `Decide with: ${ownCommand()} issues approve ${shortId(issueId)}  (or reject, or instruct)`
            : `Decide at a terminal with: ${continueHere}${gate === 'plan' ? '  (or pass --yes to approve it)' : ''}`,
        signal,
      });
      if (followed.branch !== null && !isRemote)
        output.message(`\nMerge it with:  ${mergeCommand(address, followed.branch)}`);
      if (followed.code === exitCode.pipelineFailed) output.message(`\nRetry with:  ${retryCommand()}`);
      return followed.code;

      function retryCommand(): string {
        return isRemote ? `${ownCommand()} issues retry ${shortId(issueId)} --watch` : continueHere;
      }
    },
    () =>
      output.message(
        `\nInterrupted. ${isRemote ? 'The issue keeps running. Watch it' : 'No work is lost. Continue'} with: ${continueWith()}`,
      ),
  );
}

/** One data folder per repository, so that runs on different repositories do not wait for each other's database. */
function dataDirFor(address: string): string {
  if (hasOwnDataDir()) return personalDataDir();
  const name = basename(address)
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .slice(0, 40);
  const digest = createHash('sha256').update(address).digest('hex').slice(0, 12);
  return join(personalDataDir(), 'run', `${name}-${digest}`);
}

async function registerRepo(client: SluiceClient, repo: RepoReference): Promise<string> {
  try {
    return (await client.repos.create.mutate(repo)).id;
  } catch (error) {
    const existing = isSluiceError(error) ? error.body.repo_id : null;
    if (typeof existing === 'string') return existing;
    throw error;
  }
}

async function storeCommands(client: SluiceClient, repoId: string, options: RunOnRepoOptions): Promise<void> {
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
      'An issue is already in progress on this repository. Continue it with --continue instead of --issue, or reject its plan.',
    );
  }
}

/** The active issue, or the last one if it failed and can be retried. */
async function issueToContinue(client: SluiceClient, repoId: string): Promise<string> {
  const { active_issue_id: issueId } = await client.repos.get.query({ id: repoId });
  if (issueId !== null) return issueId;
  const [last] = (await client.issues.list.query({ repo_id: repoId, limit: 1 })).items;
  if (last !== undefined && nextStatus(last.status, 'retried') !== null) {
    return await retryIssue(client, last.id);
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

/** The shell command that merges a published branch into the user's branch. */
function mergeCommand(address: string, branch: string): string {
  const isWorkTree = existsSync(join(address, '.git'));
  return isWorkTree
    ? `git -C ${shellWord(address)} merge ${shellWord(branch)}`
    : `git pull ${shellWord(address)} ${shellWord(branch)}`;
}
