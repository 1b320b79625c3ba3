import { join } from 'node:path';
import { createSluiceClient, type SluiceClient } from '@sluice/client';
import { loadConfig, startServer } from '@sluice/server';
import { logInLocally } from './local-account.ts';

/** A server in this process that lives as long as one command, and a client that is logged in to it. */
export interface LocalServer extends AsyncDisposable {
  readonly client: SluiceClient;
  /** Set when the commands of repositories run without a sandbox, or cannot run at all. */
  readonly sandboxWarning: string | null;
}

// The shell's environment may hold settings for the user's project, which do not apply to this server.
const LOCAL_ONLY = {
  HOST: '127.0.0.1',
  PORT: '0',
  PUBLIC_URL: '',
  TRUST_PROXY: '',
  CORS_ORIGINS: '',
  DATABASE_URL: '',
  REDIS_URL: '',
  CHROMA_URL: '',
  ROLE: '',
  METRICS_PORT: '',
  REGISTRATION: 'first-user',
  ALLOW_LOCAL_REPOS: 'on',
};

/**
 * Starts the server on a free loopback port with its data in `dataDir`, and logs in as the folder's only user. No second
 * user can register. A `.env` in the current folder is not read, because that folder is usually the repository.
 */
export async function openLocalServer(dataDir: string): Promise<LocalServer> {
  const config = loadConfig({ dotEnv: false, overrides: { ...LOCAL_ONLY, DATA_DIR: dataDir } });
  const server = await startServer(config, { logFile: join(dataDir, 'sluice.log') });
  try {
    const client = createSluiceClient({ url: server.url });
    await logInLocally(client, join(dataDir, 'account.json'));
    return { client, sandboxWarning: await server.sandboxWarning(), [Symbol.asyncDispose]: () => server.close() };
  } catch (error) {
    await server.close();
    throw error;
  }
}
