import { text } from 'node:stream/consumers';
import type { SluiceClient } from '@sluice/client';
import { isAtTerminal } from '../terminal/at-terminal.ts';
import { ownCommand } from '../terminal/environment.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';
import { createOutput } from '../terminal/output.ts';
import { plainLine } from '../terminal/plain-text.ts';
import { chosenServer, rememberServer } from './known-servers.ts';
import { logInByCodeHost } from './log-in-by-code-host.ts';
import { clientOf } from './remote.ts';

export interface LoginOptions {
  readonly url?: string;
  readonly email?: string;
  readonly passwordStdin?: true;
  readonly register?: true;
  readonly codehost?: true;
  /** Whether a browser may be opened. */
  readonly browser: boolean;
  readonly json?: true;
}

type Profile = Awaited<ReturnType<SluiceClient['auth']['me']['query']>>;

/**
 * Logs in and keeps the session for later commands.
 *
 * @throws CommandError when no server is named, or when nobody is there to be asked for what was not given
 */
export async function logIn(options: LoginOptions): Promise<void> {
  const url = await chosenServer(options.url);
  if (url === null) throw new CommandError(exitCode.usage, `Which server? ${ownCommand()} login --url URL`);
  const output = createOutput({ json: options.json === true });
  if (travelsOpenly(url)) {
    output.talk(output.talkStyle('yellow', `${url} is not https: who is on the way can read your session.`));
  }
  const client = clientOf(url);
  const profile =
    options.codehost === true
      ? await logInByCodeHost(client, { url, openBrowser: options.browser, talk: output.talk })
      : await logInByPassword(client, options);
  await rememberServer(url);
  output.talk(`Logged in to ${url}.`);
  output.data(profile, () => plainLine(profile.email ?? profile.codehost_login ?? profile.id));
}

async function logInByPassword(client: SluiceClient, options: LoginOptions): Promise<Profile> {
  const email = options.email ?? (await asked('--email', askEmail));
  const password =
    options.passwordStdin === true ? await givenPassword() : await asked('--password-stdin', askPassword);
  const { register, login } = client.auth;
  return options.register === true
    ? await register.mutate({ email, password })
    : await login.mutate({ email, password });
}

const LONGEST = 1_024; // the server's own limit

async function givenPassword(): Promise<string> {
  // `echo` ends it with a line feed, which nobody has in a password.
  const password = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (password === '') throw new CommandError(exitCode.usage, 'There is no password on standard input.');
  if (password.length > LONGEST) throw new CommandError(exitCode.usage, 'What is on standard input is no password.');
  return password;
}

async function asked(option: string, ask: () => Promise<string>): Promise<string> {
  if (isAtTerminal()) return await ask();
  throw new CommandError(exitCode.usage, `Nobody is there to be asked: give ${option}.`);
}

async function askEmail(): Promise<string> {
  const { input } = await import('@inquirer/prompts');
  const validate = (said: string) => said.includes('@') || 'An e-mail address.';
  return (await input({ message: 'E-mail', validate }, { output: process.stderr })).trim();
}

async function askPassword(): Promise<string> {
  const { password } = await import('@inquirer/prompts');
  return await password({ message: 'Password' }, { output: process.stderr });
}

function travelsOpenly(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
