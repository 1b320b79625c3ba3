import { join } from 'node:path';
import { createSluiceClient, type SluiceClient } from '@sluice/client';
import { ignoredDotEnvNote, loadConfig, startServer } from '@sluice/server';
import type { Output } from '../terminal/output.ts';
import { logInLocally } from './local-account.ts';

/** The configuration as the flags of a command give it. */
export interface GivenConfiguration {
  readonly overrides: Readonly<Record<string, string>>;
  readonly envFile?: string;
}

/** A server in this process that lives as long as one command, and a client that is logged in to it. */
export interface LocalServer extends AsyncDisposable {
  readonly client: SluiceClient;
  /** Set when the commands of repositories run without a sandbox, or cannot run at all. */
  readonly sandboxWarning: string | null;
}

// The environment and the files may hold settings for a server or for the user's project, which do not apply to this one.
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
 * user can register.
 */
export async function openLocalServer(
  dataDir: string,
  { overrides, envFile }: GivenConfiguration = { overrides: {} },
): Promise<LocalServer> {
  const file = envFile === undefined ? {} : { envFile };
  const config = loadConfig({ ...file, overrides: { ...overrides, ...LOCAL_ONLY, DATA_DIR: dataDir } });
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

/** Says so when the configuration in the current folder is not read because it belongs to somebody's repository. */
export function noteIgnoredDotEnv({ message, messageStyle }: Output, configuration: GivenConfiguration): void {
  const note = ignoredDotEnvNote(configuration);
  if (note !== null) message(`${messageStyle('yellow', '!')} ${note}`);
}
