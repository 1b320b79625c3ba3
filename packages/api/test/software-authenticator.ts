import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** An authenticator and its browser, which answer for whatever page, site and challenge they are told to. */
export interface SoftwareAuthenticator {
  readonly id: string;
  counter: number;
  /** The answer of `navigator.credentials.create()`. */
  create(asked: Asked & { attestation?: { fmt: string; attStmt: Map<string, unknown> } }): Record<string, unknown>;
  /** The answer of `navigator.credentials.get()`. */
  get(asked: Asked): Record<string, unknown>;
}

interface Asked {
  readonly challenge: string;
  readonly origin: string;
  readonly site: string;
  readonly type?: string;
}

const PRESENT_AND_VERIFIED = 0x05;
const WITH_KEY = 0x40;

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();
const base64url = (data: Uint8Array | string) => Buffer.from(data).toString('base64url');

/** ES256, without attestation. A counter of 0 stays 0, as that of a passkey that is synchronised. */
export function softwareAuthenticator(counter = 1): SoftwareAuthenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const rawId = randomBytes(32);
  const id = base64url(rawId);
  const key = isoCBOR.encode(
    new Map<number, unknown>([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as const), // EC2, ES256, P-256
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]) as never,
  );
  const headOf = (site: string, flags: number) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(self.counter);
    return Buffer.concat([sha256(site), Buffer.of(flags), count]);
  };
  const clientData = ({ challenge, origin, type }: Asked, usual: string) =>
    JSON.stringify({ type: type ?? usual, challenge, origin, crossOrigin: false });
  const self: SoftwareAuthenticator = {
    id,
    counter,
    create: ({ attestation = { fmt: 'none', attStmt: new Map() }, ...asked }) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(rawId.byteLength);
      const authData = Buffer.concat([
        headOf(asked.site, PRESENT_AND_VERIFIED | WITH_KEY),
        Buffer.alloc(16),
        length,
        rawId,
        key,
      ]);
      const attestationObject = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', attestation.fmt],
          ['attStmt', attestation.attStmt],
          ['authData', new Uint8Array(authData)],
        ]) as never,
      );
      const response = {
        clientDataJSON: base64url(clientData(asked, 'webauthn.create')),
        attestationObject: base64url(attestationObject),
        transports: ['internal'],
      };
      return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
    },
    get: (asked) => {
      if (self.counter > 0) self.counter += 1;
      const authData = headOf(asked.site, PRESENT_AND_VERIFIED);
      const client = clientData(asked, 'webauthn.get');
      const signature = sign('sha256', Buffer.concat([authData, sha256(client)]), privateKey);
      const response = {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(authData),
        signature: base64url(signature),
      };
      return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
    },
  };
  return self;
}
