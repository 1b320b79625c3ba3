import { text as readText } from 'node:stream/consumers';
import type { SluiceClient } from '@sluice/client';
import { isAtTerminal } from '../terminal/at-terminal.ts';
import { ownCommand } from '../terminal/environment.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';
import { createOutput, type OutputOptions } from '../terminal/output.ts';
import { plainLine } from '../terminal/plain-text.ts';
import { chosenServer, rememberServer } from './known-servers.ts';
import { logInByCodeHost } from './log-in-by-code-host.ts';
import { clientOf } from './remote.ts';

export interface LoginOptions extends OutputOptions {
  readonly url?: string;
  readonly email?: string;
  readonly passwordStdin?: true;
  readonly register?: true;
  readonly codehost?: true;
  /** Whether a browser may be opened. */
  readonly browser: boolean;
}

type Profile = Awaited<ReturnType<SluiceClient['auth']['me']['query']>>;

/**
 * Logs in and stores the session for later commands.
 *
 * @throws CommandError when no server is known, or a value is missing and there is no terminal to ask at
 */
export async function logIn(options: LoginOptions): Promise<void> {
  const url = await chosenServer(options.url);
  if (url === null)
    throw new CommandError(exitCode.usage, `No server is known. Name one: ${ownCommand()} login --url URL`);
  const output = createOutput(options);
  if (isUnencrypted(url)) {
    output.message(
      output.messageStyle('yellow', `${url} is not HTTPS: anyone on the network path can read your session.`),
    );
  }
  const client = clientOf(url);
  const profile =
    options.codehost === true
      ? await logInByCodeHost(client, { url, openBrowser: options.browser, message: output.message })
      : await logInByPassword(client, options);
  await rememberServer(url);
  output.message(`Logged in to ${url}.`);
  output.data(profile, () => plainLine(profile.email ?? profile.codehost_login ?? profile.id));
}

async function logInByPassword(client: SluiceClient, options: LoginOptions): Promise<Profile> {
  const email = options.email ?? (await askFor('--email', askEmail));
  const password =
    options.passwordStdin === true ? await readPassword() : await askFor('--password-stdin', askPassword);
  const { register, login } = client.auth;
  return options.register === true
    ? await register.mutate({ email, password })
    : await login.mutate({ email, password });
}

const MAX_LENGTH = 1_024; // the server's limit

async function readPassword(): Promise<string> {
  // `echo` appends a line feed, which is not part of the password.
  const password = (await readText(process.stdin)).replace(/\r?\n$/, '');
  if (password === '') throw new CommandError(exitCode.usage, 'Standard input is empty: expected a password.');
  if (password.length > MAX_LENGTH)
    throw new CommandError(exitCode.usage, 'Standard input is too long to be a password.');
  return password;
}

async function askFor(option: string, ask: () => Promise<string>): Promise<string> {
  if (isAtTerminal()) return await ask();
  throw new CommandError(exitCode.usage, `There is no terminal to ask at: pass ${option}.`);
}

async function askEmail(): Promise<string> {
  const { input } = await import('@inquirer/prompts');
  const validate = (text: string) => text.includes('@') || 'Enter an e-mail address.';
  return (await input({ message: 'E-mail', validate }, { output: process.stderr })).trim();
}

async function askPassword(): Promise<string> {
  const { password } = await import('@inquirer/prompts');
  return await password({ message: 'Password' }, { output: process.stderr });
}

function isUnencrypted(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
