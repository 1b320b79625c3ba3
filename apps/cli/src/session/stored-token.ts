import { readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isApiToken } from '@sluice/core/api-token';
import { givenToken } from '../terminal/environment.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';
import { sessionFile } from './known-servers.ts';

/** Beside the session, with the same rights. */
function tokenFile(url: string): string {
  return sessionFile(url).replace(/\.json$/, '.token');
}

/** The API token to use: that of `SLUICE_TOKEN`, else the one that `login --token` stored for `url`, else null. */
export function tokenOf(url: string): string | null {
  const given = givenToken();
  if (given !== '') return checkedToken(given, 'SLUICE_TOKEN');
  try {
    return readFileSync(tokenFile(url), 'utf8').trim() || null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null; // the session, which is beside it, says what is in the way
    throw error;
  }
}

/**
 * Returns a text as an API token, without the space around it.
 *
 * @throws CommandError when it cannot be an API token, such as one that was not copied whole; without the text, which may be
 * one
 */
export function checkedToken(text: string, from: string): string {
  const token = text.trim();
  if (isApiToken(token)) return token;
  throw new CommandError(
    exitCode.usage,
    `${from} has no API token: one begins with slc_ and has 53 characters. Copy it whole.`,
  );
}

/** Stores the token for `url`, in place of a session. */
export async function storeToken(url: string, token: string): Promise<void> {
  const file = tokenFile(url);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, `${token}\n`, { mode: 0o600 });
  await rename(temporary, file);
  await rm(sessionFile(url), { force: true });
}

/** Deletes the stored token of a server. @returns whether there was one */
export async function forgetToken(url: string): Promise<boolean> {
  return await rm(tokenFile(url)).then(
    () => true,
    () => false,
  );
}
