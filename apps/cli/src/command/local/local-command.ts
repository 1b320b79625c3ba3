import type { SluiceClient } from '@sluice/client';
import type { Command } from 'commander';
import type { FoundIssue } from '../../local/find-local-issue.ts';
import type { LocalFolder } from '../../local/open-local-folder.ts';
import type { Output, OutputOptions } from '../../terminal/output.ts';
import { addCommand, type CommandHelp } from '../add-command.ts';

export interface LocalOptions extends OutputOptions {
  readonly repo?: string;
}

/** An issue of a local run, in its folder. */
export interface LocalIssue {
  readonly client: SluiceClient;
  readonly output: Output;
  readonly folder: LocalFolder;
  readonly dataDir: string;
  readonly id: string;
}

/** Adds a command for one issue of `sluice run` on this machine. */
export function localCommand(parent: Command, usage: string, help: CommandHelp): Command {
  return addCommand(parent, usage, help)
    .argument('[issue]', 'id of a local issue, or a unique ending of it (default: the one of --repo)')
    .option('--repo <path-or-url>', 'the current issue of this repository', '.')
    .option('--json', 'print the result as JSON');
}

/** An id, or an ending of one. */
const ISSUE_ID = /^[0-9a-f-]{4,36}$/i;

/** The arguments of a command that takes an issue and a text: without the issue, the text alone. */
export function issueAndText(first: string | undefined, second: string | undefined) {
  const isIssue = second !== undefined || (first !== undefined && ISSUE_ID.test(first));
  return isIssue ? { given: first, text: second } : { given: undefined, text: first };
}

interface Wanted {
  readonly given: string | undefined;
  readonly options: LocalOptions;
  /** Whether an issue that has ended is of no use. */
  readonly needsActive: boolean;
}

/**
 * Runs `work` with the issue that the command names. This process does not continue the issue: it reads and decides, over
 * the process that works on it if there is one.
 */
export async function withLocalIssue<T>(
  { given, options, needsActive }: Wanted,
  work: (issue: LocalIssue) => Promise<T>,
): Promise<T> {
  const { createOutput } = await import('../../terminal/output.ts');
  const { findLocalIssue, issueOfRepo } = await import('../../local/find-local-issue.ts');
  const { openLocalFolder } = await import('../../local/open-local-folder.ts');
  const output = createOutput(options);
  const found: FoundIssue =
    given === undefined
      ? await issueOfRepo(options.repo ?? '.', { needsActive })
      : await findLocalIssue(given, unreadableReporter(output));
  await using folder = await openLocalFolder(found.dataDir, { works: false, message: output.message });
  return await work({ client: folder.client, output, folder, ...found });
}

/** Says which folder is left out, and why. */
export function unreadableReporter({ message, messageStyle }: Output): (dataDir: string, error: unknown) => void {
  return (dataDir, error) => {
    const reason = error instanceof Error ? error.message : String(error);
    message(messageStyle('yellow', `! The issues in ${dataDir} cannot be read: ${reason}`));
  };
}

/** The repository of an issue, as a path or URL that the user can type. */
export async function addressOfIssue({ client, id }: Pick<LocalIssue, 'client' | 'id'>): Promise<string> {
  const { repo_id } = await client.issues.get.query({ id });
  return (await client.repos.get.query({ id: repo_id })).url;
}
