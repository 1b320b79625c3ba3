import { createSluiceClient, type Fetch, isSluiceError, type SluiceClient, sessionFetch } from '@sluice/client';
import { fileCookies } from '@sluice/client/file-cookies';
import { ownCommand, responseTimeoutMs } from '../terminal/environment.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';
import { createOutput, type Output, type OutputOptions } from '../terminal/output.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { chosenServer, noServer, sessionFile } from './known-servers.ts';
import { tokenOf } from './stored-token.ts';

/** The options of every command that calls a server. */
export interface RemoteOptions extends OutputOptions {
  readonly url?: string;
}

export interface Remote {
  readonly url: string;
  readonly client: SluiceClient;
  readonly output: Output;
}

/**
 * Opens the server to use, with the stored session.
 *
 * @throws CommandError when no server is known
 */
export async function openRemote(options: RemoteOptions): Promise<Remote> {
  const url = (await chosenServer(options.url)) ?? noServer();
  return { url, client: clientOf(url), output: createOutput(options) };
}

/** A client with the API token for `url`, else with the session that is stored for it. */
export function clientOf(url: string): SluiceClient {
  const token = tokenOf(url);
  return token === null ? sessionClientOf(url) : tokenClientOf(url, token);
}

/** A client with the session that is stored for `url`. */
export function sessionClientOf(url: string): SluiceClient {
  return createSluiceClient({ url, cookies: fileCookies(sessionFile(url)), timeoutMs: responseTimeoutMs() });
}

export function tokenClientOf(url: string, token: string): SluiceClient {
  return createSluiceClient({ url, token, timeoutMs: responseTimeoutMs() });
}

/** `fetch` as `clientOf` has it. */
export function fetchOf(url: string): Fetch {
  const token = tokenOf(url) ?? undefined;
  return sessionFetch({ url, token, cookies: fileCookies(sessionFile(url)), timeoutMs: responseTimeoutMs() });
}

/** Runs `work`. When the server requires a login, the error says how to log in. */
export async function asUser<T>({ url }: Pick<Remote, 'url'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isSluiceError(error, 'session_missing')) throw error;
    if (tokenOf(url) !== null) throw tokensRefused(url, error);
    const how = `${ownCommand()} login --url ${shellWord(url)}`;
    throw new CommandError(
      exitCode.notLoggedIn,
      `You are not logged in to ${url}, or the session has ended. Log in: ${how}`,
      { cause: error },
    );
  }
}

/** A server that reads no tokens answers as if there were none. */
export function tokensRefused(url: string, cause: unknown): CommandError {
  return new CommandError(
    exitCode.notLoggedIn,
    `${url} takes no API tokens: its operator can set API_TOKENS=on. Until then log in: ${ownCommand()} login --url ${shellWord(url)}`,
    { cause },
  );
}
