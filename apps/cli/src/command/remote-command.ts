import type { Command } from 'commander';
import type { Remote, RemoteOptions } from '../session/remote.ts';
import { addCommand, type CommandHelp } from './add-command.ts';

export const ISSUE_ARGUMENT = ['<issue>', 'issue id, or a unique ending of it'] as const;
export const REPO_ARGUMENT = ['<repository>', 'repository name or id, or a unique ending of the id'] as const;

export const REPO_OPTION = [
  '-R, --repo <repository>',
  `${REPO_ARGUMENT[1]} (default: that of the current folder)`,
] as const;
export const OPTIONAL_REPO_ARGUMENT = [
  '[repository]',
  `${REPO_ARGUMENT[1]} (default: that of the current folder)`,
] as const;

export const URL_OPTION = [
  '--url <url>',
  'server URL (default: SLUICE_URL, else the server of the last login)',
] as const;

/** Adds a command that calls a server. */
export function remoteCommand(parent: Command, usage: string, help: CommandHelp): Command {
  return addCommand(parent, usage, help)
    .option(...URL_OPTION)
    .option('--json', "print the server's response as JSON");
}

/** Runs `work` with the server that the options name. Imports the client only now, so that `--help` stays fast. */
export async function withRemote<T>(options: RemoteOptions, work: (remote: Remote) => Promise<T>): Promise<T> {
  const { asUser, openRemote } = await import('../session/remote.ts');
  const remote = await openRemote(options);
  return await asUser(remote, () => work(remote));
}
