import { createHash, randomBytes } from 'node:crypto';
import type { Profile, SluiceClient } from '@sluice/client';
import { loginCodeOf } from '@sluice/core/account';
import { openBrowser } from '../terminal/open-page.ts';
import { waitForGrant } from './wait-for-grant.ts';

/**
 * Logs in with the user's account at the code host, or at an OpenID provider. The browser returns to this command with a grant, which is worthless
 * without the verifier that never leaves this process. The server's page asks the user to compare the code printed
 * here, so that they do not approve a command that somebody else started.
 */
export async function logInByBrowser(
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
