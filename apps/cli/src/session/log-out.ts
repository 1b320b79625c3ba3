import { isSluiceError } from '@sluice/client';
import { CommandError, exitCode } from '../terminal/exit-code.ts';
import { forgetServer } from './known-servers.ts';
import type { Remote } from './remote.ts';

/** Ends the session at the server and forgets it here, also where the server cannot be told. */
export async function logOut({ url, client, output }: Remote): Promise<void> {
  try {
    await client.auth.logout.mutate({});
  } catch (error) {
    await forgetServer(url);
    if (isSluiceError(error, 'session_missing')) {
      output.talk(`You were not logged in to ${url}.`);
      return;
    }
    if (!isSluiceError(error)) throw error;
    const rest = 'It is forgotten here, and goes on there until it expires.';
    throw new CommandError(exitCode.unexpected, `The session could not be ended: ${error.detail} ${rest}`);
  }
  await forgetServer(url);
  output.talk(`Logged out of ${url}.`);
}
