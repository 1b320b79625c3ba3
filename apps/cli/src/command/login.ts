import type { Command } from 'commander';
import type { LoginOptions } from '../session/log-in.ts';
import type { RemoteOptions } from '../session/remote.ts';
import { exitCode, type Finish } from '../terminal/exit-code.ts';
import { plainLine } from '../terminal/plain-text.ts';
import { remoteCommand, withRemote } from './remote-command.ts';

/** `login`, `logout` and `whoami`. */
export function addLoginCommands(program: Command, finish: Finish): void {
  remoteCommand(program, 'login', {
    description: 'log in to a server, which later commands then use',
    examples: [
      'sluice login --url https://sluice.example.com    asks for e-mail and password',
      'sluice login --codehost                          in the browser, with your account at the code host',
      'sluice login --sso company                       the same, at the OpenID provider with this id',
      'sluice login --email a@b.c --password-stdin < secret',
      'sluice login --email a@b.c --code 123456         with the code of the authenticator app',
      'sluice login --token < token                     with an API token, for a script',
      'sluice login --register                          create an account first',
    ],
  })
    .option('--email <email>', 'your e-mail address (default: asks for it)')
    .option('--password-stdin', 'read the password from standard input')
    .option('--code <code>', 'the code of the authenticator app, or a recovery code (default: asks for it)')
    .option('--register', 'create a new account with this e-mail address and password')
    .option('--token', 'store an API token, which it reads from standard input or asks for')
    .option('--codehost', 'sign in at the code host, in a browser on this machine')
    .option('--sso <provider>', 'sign in at an OpenID provider of the server, in a browser on this machine')
    .option('--no-browser', 'with --codehost or --sso: print the URL, do not open a browser')
    .action(async (options: LoginOptions) => {
      const { logIn } = await import('../session/log-in.ts');
      await logIn(options);
      finish(exitCode.done);
    });

  remoteCommand(program, 'logout', {
    description: 'end the session on the server and delete it here',
    examples: ['sluice logout', 'sluice logout --url https://sluice.example.com'],
  }).action(async (options: RemoteOptions) => {
    const { openRemote } = await import('../session/remote.ts');
    const { logOut } = await import('../session/log-out.ts');
    await logOut(await openRemote(options));
    finish(exitCode.done);
  });

  remoteCommand(program, 'whoami', {
    description: 'show which user is logged in, and to which server',
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
