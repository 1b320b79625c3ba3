import { isSluiceError } from '@sluice/client';
import { CommandError, exitCode } from '../terminal/exit-code.ts';
import { forgetServer } from './known-servers.ts';
import type { Remote } from './remote.ts';
import { forgetToken } from './stored-token.ts';

/** Ends the session on the server and deletes it here, even if the server cannot be reached. */
export async function logOut({ url, client, output }: Remote): Promise<void> {
  if (await forgetToken(url)) {
    await forgetServer(url);
    output.message(`The API token for ${url} is deleted here. It stays valid until it expires or is revoked.`);
    return;
  }
  try {
    await client.auth.logout.mutate({});
  } catch (error) {
    await forgetServer(url);
    if (isSluiceError(error, 'session_missing')) {
      output.message(`You were not logged in to ${url}.`);
      return;
    }
    if (!isSluiceError(error)) throw error;
    const rest = 'The session is deleted here, but stays valid on the server until it expires.';
    throw new CommandError(
      exitCode.unexpected,
      `The session could not be ended on the server: ${error.detail} ${rest}`,
    );
  }
  await forgetServer(url);
  output.message(`Logged out of ${url}.`);
}
