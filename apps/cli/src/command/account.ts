import type { Command } from 'commander';
import type { RemoteOptions } from '../session/remote.ts';
import { CommandError, exitCode, type Finish } from '../terminal/exit-code.ts';
import { plainLine } from '../terminal/plain-text.ts';
import { addCommand } from './add-command.ts';
import { remoteCommand, withRemote } from './remote-command.ts';

/** `account password`: what a user changes about their own account. */
export function addAccountCommands(program: Command, finish: Finish): void {
  const account = addCommand(program, 'account', {
    description: 'change your account on the server',
    examples: ['sluice account password', 'sluice whoami'],
  });
  remoteCommand(account, 'password', {
    description: 'change your password; your other sessions end',
    examples: [
      'sluice account password                           asks for both at the terminal',
      'sluice account password --password-stdin < both   the current password, then the new one, a line each',
    ],
    notes:
      'An account that was made at the code host has no password yet: press Enter, or leave the first line empty.\n',
  })
    .option('--password-stdin', 'read the current and the new password from standard input')
    .action(async (options: RemoteOptions & { passwordStdin?: true }) => {
      const { current, password } = await readPasswords(options.passwordStdin === true);
      await withRemote(options, async ({ client, output }) => {
        const given = current === '' ? {} : { current_password: current };
        const profile = await client.auth.updateMe.mutate({ password, ...given });
        output.message('Your password is changed.');
        output.data(profile, () => plainLine(profile.email ?? profile.codehost_login ?? profile.id));
      });
      finish(exitCode.done);
    });
}

async function readPasswords(fromStdin: boolean): Promise<{ current: string; password: string }> {
  const { askFor, askNewPassword, askPassword, readPassword } = await import('../terminal/ask-credentials.ts');
  if (!fromStdin) {
    const current = await askFor('--password-stdin', () => askPassword('Current password'));
    return { current, password: await askNewPassword('New password') };
  }
  const [current = '', password = ''] = (await readPassword()).split(/\r?\n/);
  if (password !== '') return { current, password };
  throw new CommandError(exitCode.usage, 'Standard input must hold two lines: the current password and the new one.');
}
