import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import * as z from 'zod';
import { text } from '../../input/text.ts';

const MAX_CHARACTERS = 16_384; // an attestation of a security key has some 2 KiB
const encoded = z
  .string()
  .max(MAX_CHARACTERS)
  .regex(/^[\w-]*$/, 'must be base64url');

const credential = {
  id: encoded.min(1),
  rawId: encoded.min(1),
  type: z.literal('public-key'),
};

// Loose: browsers add members, as `authenticatorAttachment`, and later ones others.
/** `PublicKeyCredential.toJSON()` of a passkey that was made. */
export const madePasskey = z
  .looseObject({
    ...credential,
    response: z.looseObject({
      clientDataJSON: encoded,
      attestationObject: encoded,
      transports: z.array(z.string().max(32)).max(10).optional(),
    }),
  })
  .transform((given) => given as unknown as RegistrationResponseJSON);

/** `PublicKeyCredential.toJSON()` of a passkey that has signed. */
const usedPasskey = z
  .looseObject({
    ...credential,
    response: z.looseObject({
      clientDataJSON: encoded,
      authenticatorData: encoded,
      signature: encoded,
      userHandle: encoded.nullable().optional(),
    }),
  })
  .transform((given) => given as unknown as AuthenticationResponseJSON);

const code = text({ min: 1, max: 64, line: true });

/** What completes a login after the password. */
export const givenSecondFactor = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('totp'), code: code.describe('The code that the authenticator app shows.') }),
  z.strictObject({ kind: z.literal('recovery_code'), code: code.describe('One that was not used yet.') }),
  z.strictObject({
    kind: z.literal('passkey'),
    credential: usedPasskey.describe(
      'The answer of the browser to `passkey_options` from the 401, as `PublicKeyCredential.toJSON()` gives it.',
    ),
  }),
]);
export type GivenSecondFactor = z.output<typeof givenSecondFactor>;

/** The name of a challenge. */
export const challengeToken = z.string().regex(/^[\w-]{43}$/, 'is not a challenge of this server');

/** What a browser hands to its authenticator, unchanged. */
export const browserOptions = z.looseObject({ challenge: z.string() });
