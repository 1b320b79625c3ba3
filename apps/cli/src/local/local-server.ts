import { join } from 'node:path';
import { createSluiceClient, type SluiceClient } from '@sluice/client';
import { loadConfig, startServer } from '@sluice/server';
import { logInLocally } from './local-account.ts';

/** A server in this process, for one command's time, and a client that is logged in to it. */
export interface LocalServer extends AsyncDisposable {
  readonly client: SluiceClient;
  /** Set when repositories' commands run without a sandbox, or cannot run at all. */
  readonly sandboxWarning: string | null;
}

// What a shell in a project's folder has set for the project is not meant for a server that lives for one command.
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
 * Starts the whole service on a free loopback port over `dataDir` and logs in as the folder's one user. Nobody else
 * can register there, and a `.env` of the current folder is not read: that folder is usually the repository.
 */
export async function openLocalServer(dataDir: string): Promise<LocalServer> {
  const config = loadConfig({ dotEnv: false, overrides: { ...LOCAL_ONLY, DATA_DIR: dataDir } });
  const server = await startServer(config, { logFile: join(dataDir, 'sluice.log') });
  try {
    const client = createSluiceClient({ url: server.url });
    await logInLocally(client, join(dataDir, 'account.json'));
    return { client, sandboxWarning: server.sandboxWarning, [Symbol.asyncDispose]: () => server.close() };
  } catch (error) {
    await server.close();
    throw error;
  }
}
