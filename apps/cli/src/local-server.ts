import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSluiceClient, type SluiceClient } from '@sluice/client';
import { loadConfig, startServer } from '@sluice/server';
import * as z from 'zod';
import { appErrorCode } from './server-refusal.ts';

/** A server in this process, for one command's time, and a client that is logged in to it. */
export interface LocalServer extends AsyncDisposable {
  readonly client: SluiceClient;
  /** Set when repositories' commands run without a sandbox, or cannot run at all. */
  readonly sandboxWarning: string | null;
}

const accountSchema = z.object({ email: z.string(), password: z.string() });

/**
 * Starts the whole service on a free loopback port over `dataDir` and logs in as the folder's one user. Nobody else
 * can register there, and a `.env` of the current folder is not read: that folder is usually the repository.
 */
export async function openLocalServer(dataDir: string): Promise<LocalServer> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const config = loadConfig({
    dotEnv: false,
    overrides: {
      HOST: '127.0.0.1',
      PORT: '0',
      PUBLIC_URL: '',
      TRUST_PROXY: '',
      CORS_ORIGINS: '',
      DATA_DIR: dataDir,
      REGISTRATION: 'first-user',
      ALLOW_LOCAL_REPOS: 'on',
    },
  });
  const server = await startServer(config, { logFile: join(dataDir, 'sluice.log') });
  try {
    const client = createSluiceClient({ url: server.url });
    await logIn(client, join(dataDir, 'account.json'));
    return { client, sandboxWarning: server.sandboxWarning, [Symbol.asyncDispose]: () => server.close() };
  } catch (error) {
    await server.close();
    throw error;
  }
}

async function logIn(client: SluiceClient, accountFile: string): Promise<void> {
  const known = await readFile(accountFile, 'utf8').catch(() => null);
  if (known === null) {
    const account = { email: 'you@sluice.local', password: randomBytes(24).toString('base64url') };
    // Kept before it is used: a kill in between leaves an account to register next time, not a user nobody can be.
    await writeFile(accountFile, JSON.stringify(account), { mode: 0o600 });
    await client.auth.register.mutate(account);
    return;
  }
  const account = accountSchema.parse(JSON.parse(known));
  try {
    await client.auth.login.mutate(account);
  } catch (error) {
    if (appErrorCode(error) !== 'bad_credentials') throw error;
    await client.auth.register.mutate(account);
  }
}
