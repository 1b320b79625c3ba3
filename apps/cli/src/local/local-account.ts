import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import type { SluiceClient } from '@sluice/client';
import * as z from 'zod';
import { appErrorCode } from '../session/server-refusal.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';

const accountSchema = z.object({ email: z.string(), password: z.string() });
type Account = z.infer<typeof accountSchema>;

/**
 * Logs `client` in as the only user of a data folder, unless its stored session is still valid. Their account is stored in
 * `accountFile` (0600).
 */
export async function logInLocally(client: Pick<SluiceClient, 'auth'>, accountFile: string): Promise<void> {
  if (await isLoggedIn(client)) return;
  const account = (await readAccount(accountFile)) ?? (await createAccount(accountFile));
  try {
    await client.auth.login.mutate(account);
  } catch (error) {
    // The file is written before the account is registered, so the first run gets here, as does one after a crash.
    if (appErrorCode(error) !== 'bad_credentials') throw error;
    await client.auth.register.mutate(account);
  }
}

async function isLoggedIn(client: Pick<SluiceClient, 'auth'>): Promise<boolean> {
  try {
    await client.auth.me.query();
    return true;
  } catch (error) {
    if (appErrorCode(error) === 'session_missing') return false;
    throw error;
  }
}

/** The account that is stored in `file`; null if there is none. @throws CommandError when it cannot be read */
export async function readAccount(file: string): Promise<Account | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new CommandError(exitCode.unexpected, `The account file ${file} cannot be read (${code}).`);
  }
  const account = accountSchema.safeParse(parsedJson(text));
  if (account.success) return account.data;
  throw new CommandError(
    exitCode.unexpected,
    `The account file ${file} is damaged: restore it, or delete its folder to start over.`,
  );
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function createAccount(file: string): Promise<Account> {
  const account = { email: 'you@sluice.local', password: randomBytes(24).toString('base64url') };
  // Written to a temporary file first, so that a crash leaves a complete file or none.
  await writeFile(`${file}.new`, JSON.stringify(account), { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
  return account;
}
