import { join } from 'node:path';
import { createSluiceClient } from '@sluice/client';
import { fileCookies } from '@sluice/client/file-cookies';
import { rateLimits } from '@sluice/core/request';
import { ignoredDotEnvNote, loadConfig, startServer } from '@sluice/server';
import type { Output } from '../terminal/output.ts';
import { announceHolder, forgetHolder } from './holder-file.ts';
import { logInLocally } from './local-account.ts';
import { accountFile } from './local-data.ts';

/** The configuration as the flags of a command give it. */
export interface GivenConfiguration {
  readonly overrides: Readonly<Record<string, string>>;
  readonly envFile?: string;
}

/** A server in this process that lives as long as one command. */
export interface LocalServer extends AsyncDisposable {
  readonly url: string;
  /** Set when the commands of repositories run without a sandbox, or cannot run at all. */
  readonly sandboxWarning: string | null;
}

// The environment and the files may hold settings for a server or for the user's project, which do not apply to this one.
const LOCAL_ONLY: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(rateLimits).map((name) => [`LIMIT_${name.toUpperCase()}`, '0'])),
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
 *
 * @param works whether it continues the issues of the folder. Such a server announces itself to other commands; one that
 * does not is only for a moment
 * @throws StartError `isInUse` when another process has the folder
 */
export async function startLocalServer(
  dataDir: string,
  { works, configuration }: { works: boolean; configuration: GivenConfiguration },
): Promise<LocalServer> {
  const { overrides, ...file } = localOptions(configuration);
  const loaded = loadConfig({ ...file, overrides: { ...overrides, DATA_DIR: dataDir } });
  const config = works ? loaded : { ...loaded, role: 'api' as const };
  const server = await startServer(config, { logFile: join(dataDir, 'sluice.log') });
  const close = async () => {
    await forgetHolder(dataDir); // before the lock is released: then it may be another process's
    await server.close();
  };
  try {
    await forgetHolder(dataDir);
    await logInLocally(localClient(server.url, dataDir), accountFile(dataDir));
    if (works) await announceHolder(dataDir, server.url);
    return { url: server.url, sandboxWarning: await server.sandboxWarning(), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The configuration of a local server as its loader takes it. */
export function localOptions({ overrides, ...file }: GivenConfiguration): GivenConfiguration {
  return { ...file, overrides: { ...overrides, ...LOCAL_ONLY } };
}

/** The one origin of the stored session: a local server listens on another port each time. */
export const LOCAL_ORIGIN = 'http://localhost';

/** A client with the session that is stored in the data folder. */
function localClient(url: string, dataDir: string) {
  return createSluiceClient({
    url: LOCAL_ORIGIN,
    cookies: localCookies(dataDir),
    // house-rule(host-names): the server in this process, at a loopback address
    fetch: (input, init) => fetch(onServer(input, url), init),
  });
}

export function localCookies(dataDir: string) {
  return fileCookies(join(dataDir, 'session.json'));
}

/** The address of a request to `LOCAL_ORIGIN` on the server at `url`. */
export function onServer(input: string | URL, url: string): URL {
  const { pathname, search } = new URL(input);
  return new URL(`${pathname}${search}`, url);
}

/** Says so when the configuration in the current folder is not read because it belongs to somebody's repository. */
export function noteIgnoredDotEnv({ message, messageStyle }: Output, configuration: GivenConfiguration): void {
  const note = ignoredDotEnvNote(configuration);
  if (note !== null) message(`${messageStyle('yellow', '!')} ${note}`);
}
