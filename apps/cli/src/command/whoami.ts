import type { Command } from 'commander';
import type { RemoteOptions } from '../session/remote.ts';
import { exitCode } from '../terminal/exit-code.ts';
import { plainLine } from '../terminal/plain-text.ts';
import { type Finish, remoteCommand, withRemote } from './remote-command.ts';

export function addWhoamiCommand(program: Command, finish: Finish): void {
  remoteCommand(program, 'whoami', {
    description: 'who is logged in, and where',
    examples: ['sluice whoami', 'sluice whoami --json'],
  }).action(async (options: RemoteOptions) => {
    await withRemote(options, async ({ url, client, output }) => {
      const profile = await client.auth.me.query({});
      const { email, name, codehost_login } = profile;
      const names = [email, name, codehost_login].filter((one) => one !== null).map(plainLine);
      output.data(profile, (style) => `${style('bold', names.join(', '))} at ${url}`);
    });
    finish(exitCode.done);
  });
}
