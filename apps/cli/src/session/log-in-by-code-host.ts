import { createHash, randomBytes } from 'node:crypto';
import type { SluiceClient } from '@sluice/client';
import { loginCodeOf } from '@sluice/core';
import { openBrowser } from './open-browser.ts';
import { waitForGrant } from './wait-for-grant.ts';

type Profile = Awaited<ReturnType<SluiceClient['auth']['me']['query']>>;

/**
 * Logs in by the person's account at the code host. The browser comes back to this command with a grant that is worth
 * nothing without the verifier, which never leaves it. The page there asks the person to compare the code that is shown
 * here, so that nobody lets in a command that somebody else has sent him to.
 */
export async function logInByCodeHost(
  client: Pick<SluiceClient, 'auth'>,
  how: { url: string; openBrowser: boolean; talk: (line: string) => void },
): Promise<Profile> {
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(24).toString('base64url');
  await using waiting = await waitForGrant(state);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const query = new URLSearchParams({ port: String(waiting.port), challenge, state });
  const address = `${how.url}/api/auth/codehost/cli?${query}`;
  const opened = how.openBrowser && openBrowser(address);
  how.talk(
    `${opened ? 'Go on in the browser. If none has opened' : 'Open this in a browser on this machine'}:\n${address}\nIt shows this code: ${loginCodeOf(challenge)}`,
  );
  return await client.auth.finishCodehostCliLogin.mutate({ grant: await waiting.grant, verifier });
}
