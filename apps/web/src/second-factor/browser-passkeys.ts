import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser';

/** The reason for which this page cannot use passkeys; null where it can. */
export function passkeyObstacle(origin: string | null): string | null {
  if (origin === null) return 'Passkeys need a server with a host name.';
  if (location.origin !== origin) return `Passkeys work at ${origin} only. Open Sluice there.`;
  return browserSupportsWebAuthn() ? null : 'This browser has no passkeys here: they need HTTPS.';
}

type Creation = Parameters<typeof startRegistration>[0]['optionsJSON'];
type Request = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** Creates a passkey in this browser. @throws Error when the user declines, or has the passkey already */
export async function makePasskey(options: object) {
  return await inWords(() => startRegistration({ optionsJSON: options as Creation }));
}

/** Signs a challenge with a passkey of this browser. @throws Error when the user declines */
export async function signWithPasskey(options: object) {
  return await inWords(() => startAuthentication({ optionsJSON: options as Request }));
}

/** A passkey that was not used. */
export class PasskeyFault extends Error {
  override readonly name = 'PasskeyFault';
}

async function inWords<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError';
    const what = isKnown ? 'This device has a passkey for your account already.' : 'The passkey was not used.';
    throw new PasskeyFault(`${what} Try again, or use another way.`, { cause: error });
  }
}
