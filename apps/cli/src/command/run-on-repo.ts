import { isSluiceError, type SluiceClient } from '@sluice/client';
import { followHere, interruptedHere } from '../follow/follow-here.ts';
import { followIssue, retryAdvice } from '../follow/follow-issue.ts';
import { howToDecide } from '../follow/how-to-decide.ts';
import { readIssueFile } from '../local/issue-file.ts';
import { dataDirFor } from '../local/local-data.ts';
import type { LocalModel } from '../local/local-model.ts';
import type { LocalFolder } from '../local/open-local-folder.ts';
import { type RepoReference, repoAddress, repoReference } from '../local/repo-address.ts';
import { shortId } from '../render/short-id.ts';
import { wrapAdvice } from '../render/wrap-advice.ts';
import { chosenServer, noServer } from '../session/known-servers.ts';
import { isAtTerminal } from '../terminal/at-terminal.ts';
import { ownCommand } from '../terminal/environment.ts';
import { type ExitCode, exitCode } from '../terminal/exit-code.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { createOutput, type Output, type OutputOptions } from '../terminal/output.ts';
import { plainLine } from '../terminal/plain-text.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { type ConfigurationOptions, configurationFlags, configurationOf } from './configuration-options.ts';
import { createInTurn } from './create-in-turn.ts';
import { settingsOf } from './repo-settings.ts';
import { continueIssue, type RunSettings } from './start-issue.ts';

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
  /** Settings of the repository as `name=value`, also stored. */
  readonly set?: readonly string[];
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
    const { requireServerModel } = await import('../session/require-server-model.ts');
    const client = clientOf(url);
    output.message(`${output.messageStyle('bold', 'Server')}      ${url}`);
    return await asUser({ url }, async () => {
      if (draft !== null) await requireServerModel(client, draft);
      return await runOnServer({ client, output, options, draft, repo, folder: null, model: null });
    });
  }
  const { openLocalFolder } = await import('../local/open-local-folder.ts');
  const { noteIgnoredDotEnv } = await import('../local/local-server.ts');
  const configuration = configurationOf(options);
  noteIgnoredDotEnv(output, configuration);
  const { localModel } = await import('../local/local-model.ts');
  const model = localModel(configuration);
  if (draft !== null) model.requireFor({ ...draft, plan: null });
  const message = (text: string) => output.message(output.messageStyle('yellow', text));
  await using folder = await openLocalFolder(dataDirFor(addressOf(repo)), { works: true, configuration, message });
  return await runHere({ client: folder.client, output, options, draft, repo, folder, model }, folder);
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
  /** Null on a server. */
  readonly folder: LocalFolder | null;
  /** Null on a server. */
  readonly model: LocalModel | null;
}

function addressOf(repo: RepoReference): string {
  return 'url' in repo ? repo.url : repo.codehost_repo;
}

async function runHere(run: Run, folder: LocalFolder): Promise<ExitCode> {
  const { output, options, repo, model } = run;
  const address = addressOf(repo);
  const continueHere = continueCommand(run);
  let issueId: string | null = null;
  return await interruptible(
    async (signal) => {
      issueId = await findOrCreateIssue(run, signal);
      printRepo(run);
      const { yes, verbose } = options;
      return await followHere(
        { folder, output },
        {
          issueId,
          address,
          continueCommand: continueHere,
          flags: configurationFlags(options),
          yes,
          verbose,
          canAsk: canAsk(options),
          hasModel: model?.isConfigured,
          signal,
        },
      );
    },
    async () => {
      const isCreated = issueId !== null;
      const text = isCreated ? await interruptedHere(folder, continueHere) : '\nInterrupted. No issue was created.';
      output.message(wrapAdvice(text, output.messageWidth));
    },
  );
}

async function runOnServer(run: Run): Promise<ExitCode> {
  const { client, output, options } = run;
  const command = `${ownCommand()} issues`;
  let watchCommand = `${command} list`;
  return await interruptible(
    async (signal) => {
      const issueId = await findOrCreateIssue(run, signal);
      const id = shortId(issueId);
      watchCommand = `${command} watch ${id}`;
      printRepo(run);
      const followed = await followIssue(client, output, {
        issueId,
        yes: options.yes,
        verbose: options.verbose,
        canAsk: canAsk(options),
        wait: options.wait,
        howToDecide: (gate) => howToDecide(command, { issueId }, gate),
        signal,
      });
      if (followed.code === exitCode.pipelineFailed)
        output.message(retryAdvice(followed, `${command} retry ${id} --watch`));
      return followed.code;
    },
    () => {
      const text = `\nInterrupted. The issue keeps running. Watch it with: ${watchCommand}`;
      output.message(wrapAdvice(text, output.messageWidth));
    },
  );
}

function printRepo({ output, repo }: Run): void {
  output.message(`${output.messageStyle('bold', 'Repository')}  ${plainLine(addressOf(repo))}`);
}

function canAsk({ wait, issue }: RunOnRepoOptions): boolean {
  return wait && issue !== '-' && isAtTerminal();
}

async function findOrCreateIssue(run: Run, signal: AbortSignal): Promise<string> {
  const { client, options, draft, repo, model } = run;
  const repoId = await registerRepo(client, repo);
  const settings = runSettings(options);
  if (draft === null) return await continueIssue(client, { repoId, settings, model });
  const issue = { ...draft, ...(options.base === undefined ? {} : { base_branch: options.base }) };
  return await createInTurn(run, {
    repoId,
    issue,
    settings,
    continueCommand: continueCommand(run),
    signal,
  });
}

/** An empty command means the detected one. */
function runSettings({ setup, setupNetwork, test, set }: RunOnRepoOptions): RunSettings {
  const settings = settingsOf(set, setupNetwork);
  return {
    ...(setup === undefined ? {} : { setup: setup === '' ? null : setup }),
    ...(test === undefined ? {} : { test: test === '' ? null : test }),
    ...(settings === null ? {} : { settings }),
  };
}

async function registerRepo(client: SluiceClient, repo: RepoReference): Promise<string> {
  const { registrationOf } = await import('../local/current-repo.ts');
  const known = await registrationOf(client, repo);
  if (known !== null) return known;
  try {
    return (await client.repos.create.mutate(repo)).id;
  } catch (error) {
    const existing = isSluiceError(error) ? error.body.repo_id : null;
    if (typeof existing === 'string') return existing;
    throw error;
  }
}

function continueCommand({ repo, options }: Run): string {
  return `${ownCommand()} run --repo ${shellWord(addressOf(repo))} --continue${configurationFlags(options)}`;
}
