import type { Command } from 'commander';
import type { RemoteOptions } from '../session/remote.ts';
import { CommandError, exitCode, type Finish } from '../terminal/exit-code.ts';
import { plainLine } from '../terminal/plain-text.ts';
import { addCommand } from './add-command.ts';
import { remoteCommand, withRemote } from './remote-command.ts';

/** `account password` and `account delete`: what a user does about their own account. */
export function addAccountCommands(program: Command, finish: Finish): void {
  const account = addCommand(program, 'account', {
    description: 'change your account on the server, or delete it',
    examples: ['sluice account password', 'sluice account delete', 'sluice whoami'],
  });
  remoteCommand(account, 'password', {
    description: 'change your password; your other sessions end',
    examples: [
      'sluice account password                           asks for both at the terminal',
      'sluice account password --password-stdin < both   the current password, then the new one, a line each',
    ],
    notes:
      'An account that was made at the code host or by single sign-on has no password yet. Log in again first:\nthe session must be younger than ten minutes. Then press Enter, or leave the first line empty.\n',
  })
    .option('--password-stdin', 'read the current and the new password from standard input')
    .action(async (options: RemoteOptions & { passwordStdin?: true }) => {
      const { current, password } = await readPasswords(options.passwordStdin === true);
      await withRemote(options, async ({ client, output }) => {
        const given = current === '' ? {} : { current_password: current };
        const profile = await client.auth.account.update.mutate({ password, ...given });
        output.message('Your password is changed.');
        output.data(profile, () => plainLine(profile.email ?? profile.codehost_login ?? profile.id));
      });
      finish(exitCode.done);
    });
  addAccountDeleteCommand(account, finish);
}

interface DeleteOptions extends RemoteOptions {
  readonly passwordStdin?: true;
  readonly code?: string;
  readonly yes?: true;
}

function addAccountDeleteCommand(account: Command, finish: Finish): void {
  remoteCommand(account, 'delete', {
    description: 'delete your account, after telling what becomes of your issues and repositories',
    examples: [
      'sluice account delete                                   asks for the password at the terminal',
      'sluice account delete --yes --password-stdin < password',
    ],
    notes: 'Without a password, log in again first: the session must be younger than ten minutes.\n',
  })
    .option('--password-stdin', 'read the current password from standard input')
    .option('--code <code>', 'code of the authenticator app, or a recovery code (default: asks for it if needed)')
    .option('-y, --yes', 'skip the confirmation')
    .action(async (options: DeleteOptions) => {
      const { confirm } = await import('../terminal/confirm.ts');
      const { askFor, askPassword, readPassword } = await import('../terminal/ask-credentials.ts');
      const { inTwoSteps } = await import('../session/finish-log-in.ts');
      const { forgetServer } = await import('../session/known-servers.ts');
      const { renderDeletion } = await import('../render/render-accounts.ts');
      await withRemote(options, async ({ url, client: { auth }, output }) => {
        const plan = await auth.account.deletion.query({});
        output.message(renderDeletion(plan));
        await confirm('Delete your account? This cannot be undone.', options.yes === true);
        const ask = () => askFor('--password-stdin', () => askPassword('Current password'));
        const read = options.passwordStdin === true ? readPassword : ask;
        const given = plan.proof === 'password' ? { current_password: await read() } : {};
        const steps = {
          begin: () => auth.account.delete.mutate(given),
          finish: auth.account.delete.mutate,
          inBrowser: 'Delete it in the settings of the console.',
        };
        await inTwoSteps(steps, { code: options.code, message: output.message });
        await forgetServer(url);
        output.message('Your account is deleted.');
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
