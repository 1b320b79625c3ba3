import type { Command } from 'commander';
import type { Remote, RemoteOptions } from '../session/remote.ts';
import type { ExitCode } from '../terminal/exit-code.ts';

export type Finish = (code: ExitCode) => void;

/** A command to a server: with its examples, and the options that all of them have. */
export function remoteCommand(
  parent: Command,
  usage: string,
  told: { description: string; examples: readonly string[] },
): Command {
  return parent
    .command(usage)
    .description(told.description)
    .option('--url <url>', 'the server; default: SLUICE_URL, or the one last logged in to')
    .option('--json', 'print what the server answered, as JSON')
    .addHelpText('before', examplesText(told.examples));
}

export function examplesText(examples: readonly string[]): string {
  return `Examples:\n${examples.map((example) => `  ${example}\n`).join('')}`;
}

/** Does `work` with the server that the options name. Nothing of the client is loaded before. */
export async function withRemote<T>(options: RemoteOptions, work: (remote: Remote) => Promise<T>): Promise<T> {
  const { asUser, openRemote } = await import('../session/remote.ts');
  const remote = await openRemote(options);
  return await asUser(remote, () => work(remote));
}
