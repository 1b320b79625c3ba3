import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { EncryptedToken, TokenCipher, TokenOwner } from '@sluice/core/account';
import type { EncryptionKey } from '../config/encryption-key.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12; // 96 bits, the size that GCM is specified for (NIST SP 800-38D)
// Also required for decryption: otherwise GCM accepts a tag of four bytes, which can be guessed.
const TAG = { authTagLength: 16 };
const BOUND = 'v2'; // the format whose additional data names kind, row and user; the earlier one names only the user

/** Receives the reason why a token cannot be decrypted, such as a missing key; never any part of the token. */
type UnreadableWatch = (error: Error) => void;

/** The prefix of a token that is encrypted with a key and bound to its row, see `encryptedUnderOther`. */
export function boundUnder(keyId: string): string {
  return `${keyId}:${BOUND}`;
}

/**
 * AES-256-GCM with a fresh nonce for each write, and with kind, row and user as additional data: a token can be decrypted
 * only in the row for which it was encrypted. The first key encrypts; all keys decrypt, also tokens of the earlier format.
 *
 * @param onUnreadable called for each token that cannot be decrypted, so that the operator can restore its key; the user
 * is only asked to set the token again
 */
export function createTokenCipher(
  keys: readonly EncryptionKey[],
  onUnreadable: UnreadableWatch = () => undefined,
): TokenCipher {
  const first = keys[0];
  if (first === undefined) throw new Error('a token cipher needs at least one key');
  return {
    encrypt(owner, token, replaced = null): EncryptedToken {
      const isBound = replaced === null || formOf(replaced).isBound;
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, first.key, nonce, TAG);
      cipher.setAAD(additionalData(owner, isBound));
      const ciphertext = Buffer.concat([cipher.update(token, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return {
        encrypted: `${isBound ? boundUnder(first.id) : first.id}:${ciphertext.toString('base64')}`,
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

/** Ids contain no colon, so two owners never share the same data. */
function additionalData({ kind, id, userId }: TokenOwner, isBound: boolean): Buffer {
  return Buffer.from(isBound ? `${kind}:${id}:${userId}` : userId);
}

function opened(keys: readonly EncryptionKey[], owner: TokenOwner, token: EncryptedToken): string {
  const { id, isBound, data } = formOf(token);
  const key = keys.find((candidate) => candidate.id === id);
  if (key === undefined) throw new Error(`the encryption key "${id}" is not among ENCRYPTION_KEYS`);
  const ciphertext = Buffer.from(data, 'base64');
  const decipher = createDecipheriv(ALGORITHM, key.key, Buffer.from(token.nonce, 'base64'), TAG);
  decipher.setAAD(additionalData(owner, isBound));
  decipher.setAuthTag(ciphertext.subarray(-TAG.authTagLength));
  const text = decipher.update(ciphertext.subarray(0, -TAG.authTagLength));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}
