import { text as readText } from 'node:stream/consumers';
import { isAtTerminal } from './at-terminal.ts';
import { CommandError, exitCode } from './exit-code.ts';

const MAX_LENGTH = 1_024; // the server's limit
const MIN_PASSWORD = 8; // the server's limit for a new password
const MAX_PASSWORD_LENGTH = 128; // the same

/** Reads a secret from standard input. `echo` appends a line feed, which is not part of it. */
export async function readPassword(what = 'a password'): Promise<string> {
  const password = (await readText(process.stdin)).replace(/\r?\n$/, '');
  if (password === '') throw new CommandError(exitCode.usage, `Standard input is empty: expected ${what}.`);
  if (password.length > MAX_LENGTH) throw new CommandError(exitCode.usage, `Standard input is too long to be ${what}.`);
  return password;
}

/** Asks at the terminal. @throws CommandError when there is none; `option` is then the way */
export async function askFor(option: string, ask: () => Promise<string>): Promise<string> {
  if (isAtTerminal()) return await ask();
  throw new CommandError(exitCode.usage, `There is no terminal to ask at: pass ${option}.`);
}

/**
 * Returns a text as an e-mail address, without the space around it.
 *
 * @throws CommandError when it cannot be an e-mail address, before a password is asked for
 */
export function checkedEmail(email: string): string {
  const fault = emailFault(email);
  if (fault === null) return email.trim();
  throw new CommandError(exitCode.usage, `${JSON.stringify(email)} is not an e-mail address. ${fault}`);
}

export async function askEmail(): Promise<string> {
  const { input } = await import('@inquirer/prompts');
  return await input({ message: 'E-mail', validate: (text) => emailFault(text) ?? true }, { output: process.stderr });
}

export async function askPassword(message: string): Promise<string> {
  const { password } = await import('@inquirer/prompts');
  return await password({ message }, { output: process.stderr });
}

/** Asks for a code that is worthless after its use, so it is shown. */
export async function askCode(message: string): Promise<string> {
  const { input } = await import('@inquirer/prompts');
  return await input({ message, required: true }, { output: process.stderr });
}

/** Asks for a new password twice: a typing error would lock its user out. */
export async function askNewPassword(message: string): Promise<string> {
  const { password } = await import('@inquirer/prompts');
  const terminal = { output: process.stderr };
  const validate = (text: string) =>
    (text.length >= MIN_PASSWORD && text.length <= MAX_PASSWORD_LENGTH) ||
    `${MIN_PASSWORD} to ${MAX_PASSWORD_LENGTH} characters.`;
  const chosen = await password({ message, validate }, terminal);
  const isSame = (text: string) => text === chosen || 'It differs from the first one. Ctrl-C starts over.';
  return await password({ message: `${message} again`, validate: isSame }, terminal);
}

function emailFault(text: string): string | null {
  return /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text.trim()) ? null : 'Expected a form like you@example.com.';
}
