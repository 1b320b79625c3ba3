import { createHash, randomBytes } from 'node:crypto';
import { isSluiceError, type Profile, type SluiceClient } from '@sluice/client';
import { loginCodeOf } from '@sluice/core/account';
import {
  askEmail,
  askFor,
  askNewPassword,
  askPassword,
  checkedEmail,
  readPassword,
} from '../terminal/ask-credentials.ts';
import { isAtTerminal } from '../terminal/at-terminal.ts';
import { ownCommand } from '../terminal/environment.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';
import { openBrowser } from '../terminal/open-page.ts';
import { createOutput, type OutputOptions } from '../terminal/output.ts';
import { plainLine } from '../terminal/plain-text.ts';
import { logInWithCode } from './finish-log-in.ts';
import { chosenServer, rememberServer } from './known-servers.ts';
import { sessionClientOf, tokenClientOf, tokensRefused } from './remote.ts';
import { checkedToken, forgetToken, storeToken } from './stored-token.ts';
import { waitForGrant } from './wait-for-grant.ts';

export interface LoginOptions extends OutputOptions {
  readonly url?: string;
  readonly email?: string;
  readonly passwordStdin?: true;
  /** A code of the authenticator app, or a recovery code. */
  readonly code?: string;
  readonly register?: true;
  readonly codehost?: true;
  /** The id of an OpenID provider. */
  readonly sso?: string;
  readonly token?: true;
  /** Whether a browser may be opened. */
  readonly browser: boolean;
}

/**
 * Logs in and stores the session for later commands.
 *
 * @throws CommandError when no server is known, or a value is missing and there is no terminal to ask at
 */
export async function logIn(options: LoginOptions): Promise<void> {
  const url = await chosenServer(options.url);
  if (url === null)
    throw new CommandError(exitCode.usage, `No server is known. Name one: ${ownCommand()} login --url URL`);
  const output = createOutput(options);
  if (isUnencrypted(url)) {
    output.message(
      output.messageStyle('yellow', `${url} is not HTTPS: anyone on the network path can read your session.`),
    );
  }
  const client = sessionClientOf(url);
  const profile =
    options.token === true
      ? await logInByToken(url)
      : options.codehost === true || options.sso !== undefined
        ? await logInByBrowser(client, {
            url,
            provider: options.sso ?? null,
            openBrowser: options.browser,
            message: output.message,
          })
        : await logInByPassword(client, { ...options, message: output.message });
  if (options.token !== true) await forgetToken(url);
  await rememberServer(url);
  output.message(`Logged in to ${url}.`);
  output.data(profile, () => plainLine(profile.email ?? profile.codehost_login ?? profile.id));
}

async function logInByPassword(
  client: SluiceClient,
  options: LoginOptions & { readonly message: (line: string) => void },
): Promise<Profile> {
  const isNew = options.register === true;
  const email = checkedEmail(options.email ?? (await askFor('--email', askEmail)));
  const password =
    options.passwordStdin === true
      ? await readPassword()
      : await askFor('--password-stdin', () => (isNew ? askNewPassword('Password') : askPassword('Password')));
  if (!isNew) return await logInWithCode(client, { email, password }, options);
  return await client.auth.register.mutate({ email, password });
}

/** Stores an API token that the server takes. */
async function logInByToken(url: string): Promise<Profile> {
  const given = isAtTerminal() ? await askPassword('API token') : await readPassword('an API token');
  const token = checkedToken(given, isAtTerminal() ? 'The answer' : 'Standard input');
  try {
    const profile = await tokenClientOf(url, token).auth.me.query({});
    await storeToken(url, token);
    return profile;
  } catch (error) {
    throw isSluiceError(error, 'session_missing') ? tokensRefused(url, error) : error;
  }
}

function isUnencrypted(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/**
 * Logs in with the user's account at the code host, or at an OpenID provider. The browser returns to this command with a grant, which is worthless
 * without the verifier that never leaves this process. The server's page asks the user to compare the code printed
 * here, so that they do not approve a command that somebody else started.
 */
async function logInByBrowser(
  client: Pick<SluiceClient, 'auth'>,
  options: {
    url: string;
    /** The id of the OpenID provider; null: the code host. */
    provider: string | null;
    openBrowser: boolean;
    message: (line: string) => void;
  },
): Promise<Profile> {
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(24).toString('base64url');
  await using waiting = await waitForGrant(state);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const query = new URLSearchParams({ port: String(waiting.port), challenge, state });
  const { provider } = options;
  const service = provider === null ? 'codehost' : `oidc/${encodeURIComponent(provider)}`;
  const address = `${options.url}/api/auth/${service}/cli?${query}`;
  const isOpened = options.openBrowser && openBrowser(address);
  options.message(
    `${isOpened ? 'Continue in the browser. If it did not open, go to' : 'Open this URL in a browser on this machine'}:\n${address}\nConfirm there that the page shows this code: ${loginCodeOf(challenge)}`,
  );
  const given = { grant: await waiting.grant, verifier };
  if (provider === null) return await client.auth.codehost.cli.finish.mutate(given);
  return await client.auth.oidc.cli.finish.mutate({ provider, ...given });
}
