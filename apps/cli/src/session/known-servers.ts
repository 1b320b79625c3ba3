import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { namedServer, ownCommand, stateFolder } from '../terminal/environment.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';

const lastFile = () => join(stateFolder(), 'last-server');

/** The URL of the server to use: the given one, else `SLUICE_URL`, else that of the last login, else null. */
export async function chosenServer(given: string | undefined): Promise<string | null> {
  if (given !== undefined) return serverAddress(given, '--url');
  if (namedServer() !== '') return serverAddress(namedServer(), 'SLUICE_URL');
  return await lastServer();
}

/** Ends a command that needs a server. @throws CommandError that says how to make a server known */
export function noServer(): never {
  throw new CommandError(exitCode.notLoggedIn, `No server is known. Log in to one: ${ownCommand()} login --url URL`);
}

/** The file that holds the session on a server. */
export function sessionFile(url: string): string {
  const host = new URL(url).host.replaceAll(/[^A-Za-z0-9.-]/g, '-').slice(0, 60);
  const digest = createHash('sha256').update(url).digest('hex').slice(0, 12);
  return join(stateFolder(), 'sessions', `${host}-${digest}.json`);
}

export async function rememberServer(url: string): Promise<void> {
  await mkdir(stateFolder(), { recursive: true, mode: 0o700 });
  const temporary = `${lastFile()}.${process.pid}`;
  await writeFile(temporary, `${url}\n`, { mode: 0o600 });
  await rename(temporary, lastFile());
}

/** Deletes the session on a server, and forgets the server if it was the last one used. */
export async function forgetServer(url: string): Promise<void> {
  await rm(sessionFile(url), { force: true });
  if ((await lastServer()) === url) await rm(lastFile(), { force: true });
}

async function lastServer(): Promise<string | null> {
  let text: string;
  try {
    text = (await readFile(lastFile(), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return text === '' ? null : serverAddress(text, lastFile());
}

/** Normalizes a server URL, so that two spellings of it compare equal. Without a scheme, loopback is http, else https. */
function serverAddress(text: string, from: string): string {
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/i.test(text);
  const isBare = /^[\w.-]+(:\d+)?(\/|$)|^\[/.test(text);
  const given = isBare ? `${isLoopback ? 'http' : 'https'}://${text}` : text;
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new CommandError(exitCode.usage, `${from} is not a server URL: it must begin with http:// or https://.`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new CommandError(exitCode.usage, `${from} must not contain a user, a query or a fragment.`);
  }
  // The address of the API or of its documentation is what people copy from a browser.
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/api(\/docs)?$/, '')}`;
}
