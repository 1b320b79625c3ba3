import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { EncryptedToken, TokenCipher, TokenOwner } from '@sluice/core';
import type { EncryptionKey } from '../config/encryption-key.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12; // 96 bits, the size that GCM is specified for (NIST SP 800-38D)
// Named on opening too: GCM alone would take a tag of four bytes for a tag, and that one can be guessed.
const TAG = { authTagLength: 16 };
const BOUND = 'v2'; // the form whose additional data names kind, row and user; the one before it names the user alone

/** Hears why a token could not be opened, by which key where that is missing; nothing of the token is in it. */
type UnreadableWatch = (error: Error) => void;

/** What stands in front of a token that is sealed under a key and bound to its row, as `encryptedUnderOther` takes it. */
export function boundUnder(keyId: string): string {
  return `${keyId}:${BOUND}`;
}

/**
 * AES-256-GCM with a fresh nonce for every write, and kind, row and user as additional data: a sealed token opens where
 * it was written and nowhere else. The first key seals; all of them open, and open the form of before as well.
 *
 * @param onUnreadable told of each token that cannot be opened: its user is only asked to give it anew, and what to do
 * about the key is the operator's
 */
export function createTokenCipher(
  keys: readonly EncryptionKey[],
  onUnreadable: UnreadableWatch = () => undefined,
): TokenCipher {
  const sealing = keys[0];
  if (sealing === undefined) throw new Error('a token cipher needs at least one key');
  return {
    encrypt(owner, token, replaced = null): EncryptedToken {
      const isBound = replaced === null || formOf(replaced).isBound;
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, sealing.key, nonce, TAG);
      cipher.setAAD(additionalData(owner, isBound));
      const sealed = Buffer.concat([cipher.update(token, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return {
        encrypted: `${isBound ? boundUnder(sealing.id) : sealing.id}:${sealed.toString('base64')}`,
        nonce: nonce.toString('base64'),
      };
    },
    decrypt(owner, token): string {
      try {
        return opened(keys, owner, token);
      } catch (error) {
        onUnreadable(error as Error);
        throw error;
      }
    },
  };
}

function formOf({ encrypted }: EncryptedToken): { id: string | undefined; isBound: boolean; data: string } {
  const [id, form, data = ''] = encrypted.split(':');
  return form === BOUND ? { id, isBound: true, data } : { id, isBound: false, data: form ?? '' };
}

/** Ids hold no colon, so that two owners never have the same. */
function additionalData({ kind, id, userId }: TokenOwner, isBound: boolean): Buffer {
  return Buffer.from(isBound ? `${kind}:${id}:${userId}` : userId);
}

function opened(keys: readonly EncryptionKey[], owner: TokenOwner, token: EncryptedToken): string {
  const { id, isBound, data } = formOf(token);
  const key = keys.find((candidate) => candidate.id === id);
  if (key === undefined) throw new Error(`the encryption key "${id}" is not among ENCRYPTION_KEYS`);
  const sealed = Buffer.from(data, 'base64');
  const decipher = createDecipheriv(ALGORITHM, key.key, Buffer.from(token.nonce, 'base64'), TAG);
  decipher.setAAD(additionalData(owner, isBound));
  decipher.setAuthTag(sealed.subarray(-TAG.authTagLength));
  const text = decipher.update(sealed.subarray(0, -TAG.authTagLength));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}
