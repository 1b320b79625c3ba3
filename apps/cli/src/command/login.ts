import type { Command } from 'commander';
import { exitCode } from '../terminal/exit-code.ts';
import { type Finish, remoteCommand } from './remote-command.ts';

interface LoginCommandOptions {
  readonly url?: string;
  readonly email?: string;
  readonly passwordStdin?: true;
  readonly register?: true;
  readonly codehost?: true;
  readonly browser: boolean;
  readonly json?: true;
}

export function addLoginCommand(program: Command, finish: Finish): void {
  remoteCommand(program, 'login', {
    description: 'log in to a server, which later commands then speak to',
    examples: [
      'sluice login --url https://sluice.example.com    asks for e-mail and password',
      'sluice login --codehost                          by your account at the code host, in the browser',
      'sluice login --email a@b.c --password-stdin < secret',
      'sluice login --register                          make an account there first',
    ],
  })
    .option('--email <email>', 'who you are; asked for when it is not given')
    .option('--password-stdin', 'read the password from standard input')
    .option('--register', 'make a new account with this e-mail and password')
    .option('--codehost', 'sign in at the code host, in a browser on this machine')
    .option('--no-browser', 'with --codehost: print the address and open nothing')
    .action(async (options: LoginCommandOptions) => {
      const { logIn } = await import('../session/log-in.ts');
      await logIn(options);
      finish(exitCode.done);
    });
}
