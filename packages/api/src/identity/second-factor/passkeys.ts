import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers';
import type { NewPasskey, SecondFactor, User } from '@sluice/core/account';
import type { RelyingParty } from './relying-party.ts';

type Passkey = Extract<SecondFactor, { kind: 'passkey' }>;

const WAIT_MS = 240_000; // the browser's; within the life of a challenge
const ALGORITHMS = [-8, -7, -257]; // EdDSA, ES256, RS256: what authenticators have

export function passkeysOf(factors: readonly SecondFactor[]): Passkey[] {
  return factors.filter((factor) => factor.kind === 'passkey');
}

/** What the browser needs to make a passkey. */
export async function creationOptions(
  { id: rpID }: RelyingParty,
  user: User,
  factors: readonly SecondFactor[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return await generateRegistrationOptions({
    rpName: 'Sluice',
    rpID,
    userName: user.email ?? user.id,
    userDisplayName: user.name ?? '',
    userID: new Uint8Array(Buffer.from(user.id)),
    timeout: WAIT_MS,
    attestationType: 'none',
    excludeCredentials: descriptorsOf(factors),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** What the browser needs to use one of the account's passkeys. */
export async function requestOptions(
  { id: rpID }: RelyingParty,
  factors: readonly SecondFactor[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return await generateAuthenticationOptions({
    rpID,
    timeout: WAIT_MS,
    userVerification: 'preferred',
    allowCredentials: descriptorsOf(factors),
  });
}

function descriptorsOf(factors: readonly SecondFactor[]): { id: string; transports: string[] }[] {
  return passkeysOf(factors).map(({ credentialId, transports }) => ({ id: credentialId, transports: [...transports] }));
}

/** The passkey that a browser has made; null when it is not for this page and challenge, or is broken. */
export async function verifiedPasskey(
  { id, origin }: RelyingParty,
  response: RegistrationResponseJSON,
  toSign: string,
): Promise<NewPasskey | null> {
  try {
    if (!isSelfMade(response)) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: toSign,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return null;
    const { credential } = registrationInfo;
    return {
      kind: 'passkey',
      credentialId: credential.id,
      publicKey: isoBase64URL.fromBuffer(credential.publicKey),
      counter: credential.counter,
      transports: credential.transports ?? [],
    };
  } catch {
    return null; // the library throws for each way in which a response can be wrong
  }
}

/**
 * Whether nothing but the key itself vouches for it. We ask for no statement of the maker, and its certificates could name
 * addresses to look up, which a client must not choose.
 */
function isSelfMade({ response }: RegistrationResponseJSON): boolean {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}

/** The passkey that signed, and its new counter; null when the assertion is wrong, or for another page, challenge or account. */
export async function verifiedAssertion(
  { id, origin }: RelyingParty,
  response: AuthenticationResponseJSON,
  { toSign, factors }: { readonly toSign: string; readonly factors: readonly SecondFactor[] },
): Promise<{ factorId: string; counter: number } | null> {
  const passkey = passkeysOf(factors).find(({ credentialId }) => credentialId === response.id);
  if (passkey === undefined) return null;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: toSign,
      expectedOrigin: origin,
      expectedRPID: id,
      credential: {
        id: passkey.credentialId,
        publicKey: isoBase64URL.toBuffer(passkey.publicKey),
        counter: passkey.counter,
      },
      requireUserVerification: false,
    });
    return verified ? { factorId: passkey.id, counter: authenticationInfo.newCounter } : null;
  } catch {
    return null; // as above; a counter that did not grow is among them
  }
}
