import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isSluiceError, type SluiceClient } from '@sluice/client';
import { nextStatus } from '@sluice/core';
import { workOnIssue } from '../follow/follow-issue.ts';
import { readIssueFile } from '../local/issue-file.ts';
import { repoAddress } from '../local/repo-address.ts';
import { repoAt } from '../local/repo-at.ts';
import { shortId } from '../render/short-id.ts';
import { chosenServer } from '../session/known-servers.ts';
import { appErrorCode, serverRefusal } from '../session/server-refusal.ts';
import { isAtTerminal } from '../terminal/at-terminal.ts';
import { hasOwnDataDir, ownCommand, personalDataDir } from '../terminal/environment.ts';
import { CommandError, type ExitCode, exitCode } from '../terminal/exit-code.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { createOutput, type Output } from '../terminal/output.ts';
import { plainLine } from '../terminal/plain-text.ts';
import { shellWord } from '../terminal/shell-word.ts';

export interface RunOnRepoOptions {
  /** A folder or a URL; with a server, also `owner/name` at the code host. */
  readonly repo: string;
  /** The server to speak to, where it is not the usual one. */
  readonly url?: string;
  /** Use a server of this command's own, whichever else is known. */
  readonly embedded?: true;
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

/**
 * Registers the repository with the server that the person speaks to, or else with one of this command's own, works on
 * the issue there, and prints how it ended.
 */
export async function runOnRepo(options: RunOnRepoOptions): Promise<ExitCode> {
  const output = createOutput({ json: options.json });
  const url = options.embedded === true ? null : await chosenServer(options.url);
  const draft = options.issue === undefined ? null : await readIssueFile(options.issue, options.title);
  const at = url === null ? { url: await repoAddress(options.repo) } : await repoAt(options.repo);
  if (url !== null) {
    const { asUser, clientOf } = await import('../session/remote.ts');
    const client = clientOf(url);
    output.talk(`${output.talkStyle('bold', 'Server')}      ${url}`);
    return await asUser({ url }, () => workOn({ client, output, options, draft, at, isRemote: true }));
  }
  const { openLocalServer } = await import('../local/local-server.ts');
  await using server = await openLocalServer(dataDirFor(addressOf(at)));
  if (server.sandboxWarning !== null) output.talk(output.talkStyle('yellow', server.sandboxWarning));
  return await workOn({ client: server.client, output, options, draft, at, isRemote: false });
}

type RepoAt = Awaited<ReturnType<typeof repoAt>>;

interface Run {
  readonly client: SluiceClient;
  readonly output: Output;
  readonly options: RunOnRepoOptions;
  readonly draft: { title: string; body: string } | null;
  readonly at: RepoAt;
  readonly isRemote: boolean;
}

function addressOf(at: RepoAt): string {
  return 'url' in at ? at.url : at.codehost_repo;
}

async function workOn({ client, output, options, draft, at, isRemote }: Run): Promise<ExitCode> {
  const address = addressOf(at);
  let watching = `${ownCommand()} issues list`;
  const goOn = () => (isRemote ? watching : howToGoOn(address));
  return await interruptible(
    async (signal) => {
      const repoId = await registerRepo(client, at);
      await keepCommands(client, repoId, options);
      const base = options.base === undefined ? {} : { base: options.base };
      const issueId =
        draft === null ? await issueToGoOnWith(client, repoId) : await createIssue(client, { repoId, draft, ...base });
      watching = `${ownCommand()} issues watch ${shortId(issueId)}`;
      output.talk(`${output.talkStyle('bold', 'Repository')}  ${plainLine(address)}`);
      const worked = await workOnIssue(client, output, {
        issueId,
        yes: options.yes,
        canAsk: options.wait && options.issue !== '-' && isAtTerminal(),
        // Where the server is this command's own, nobody else could decide.
        wait: options.wait && isRemote,
        howToDecide: (gate) =>
          isRemote
            ? `${ownCommand()} issues approve ${shortId(issueId)}  (or reject, or instruct)`
            : `At a terminal: ${howToGoOn(address)}${gate === 'plan' ? '  (or with --yes to approve it)' : ''}`,
        signal,
      });
      if (worked.branch !== null && !isRemote) output.talk(`\nTake it over:  ${howToTake(address, worked.branch)}`);
      if (worked.code === exitCode.pipelineFailed) output.talk(`\nTry it again from there:  ${howToRetry()}`);
      return worked.code;

      function howToRetry(): string {
        return isRemote ? `${ownCommand()} issues retry ${shortId(issueId)} --watch` : howToGoOn(address);
      }
    },
    () => output.talk(`\nInterrupted. ${isRemote ? 'It goes on; watch it' : 'Nothing is lost; go on'} with: ${goOn()}`),
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

async function registerRepo(client: SluiceClient, at: RepoAt): Promise<string> {
  try {
    return (await client.repos.create.mutate(at)).id;
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
