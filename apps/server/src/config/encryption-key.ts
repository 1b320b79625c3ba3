export interface EncryptionKey {
  /** The prefix of what it encrypts, so it contains no colon. */
  readonly id: string;
  /** 32 bytes */
  readonly key: Buffer;
}

const ID = /^[A-Za-z0-9_-]{1,32}$/;
// Node's decoder skips characters that are not base64, so a mistyped key would become a different, shorter one.
const BASE64_OF_32_BYTES = /^[A-Za-z0-9+/]{43}=?$/;

/** An encryption key from its id and the base64 of its 32 bytes, or null if either is malformed. */
export function encryptionKeyOf(id: string, base64: string): EncryptionKey | null {
  if (!ID.test(id) || !BASE64_OF_32_BYTES.test(base64)) return null;
  return { id, key: Buffer.from(base64, 'base64') };
}
