import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SealedToken, TokenCipher } from '@sluice/core';
import type { EncryptionKey } from './config/encryption-key.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12; // 96 bits, the size that GCM is specified for (NIST SP 800-38D)
// Named on opening too: GCM alone would take a tag of four bytes for a tag, and that one can be guessed.
const TAG = { authTagLength: 16 };

/** Hears why a token could not be opened, by which key where that is missing; nothing of the token is in it. */
type UnreadableWatch = (error: Error) => void;

/**
 * AES-256-GCM with a fresh nonce for every write and the user's id as additional data, so that one user's sealed
 * token cannot be put into another's row. The first key seals; all of them open.
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
    seal(userId, token): SealedToken {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, sealing.key, nonce, TAG);
      cipher.setAAD(Buffer.from(userId));
      const sealed = Buffer.concat([cipher.update(token, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return { encrypted: `${sealing.id}:${sealed.toString('base64')}`, nonce: nonce.toString('base64') };
    },
    open(userId, token): string {
      try {
        return opened(keys, userId, token);
      } catch (error) {
        onUnreadable(error as Error);
        throw error;
      }
    },
  };
}

function opened(keys: readonly EncryptionKey[], userId: string, { encrypted, nonce }: SealedToken): string {
  const [id, data = ''] = encrypted.split(':');
  const key = keys.find((candidate) => candidate.id === id);
  if (key === undefined) throw new Error(`the encryption key "${id}" is not among ENCRYPTION_KEYS`);
  const sealed = Buffer.from(data, 'base64');
  const decipher = createDecipheriv(ALGORITHM, key.key, Buffer.from(nonce, 'base64'), TAG);
  decipher.setAAD(Buffer.from(userId));
  decipher.setAuthTag(sealed.subarray(-TAG.authTagLength));
  const text = decipher.update(sealed.subarray(0, -TAG.authTagLength));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}
