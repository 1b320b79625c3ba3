export interface EncryptionKey {
  /** Stands before what it encrypted, so it never holds a colon. */
  readonly id: string;
  /** 32 bytes */
  readonly key: Buffer;
}

const ID = /^[A-Za-z0-9_-]{1,32}$/;
// Node's decoder skips what is not base64, so a mistyped key would become another, shorter or weaker one.
const BASE64_OF_32_BYTES = /^[A-Za-z0-9+/]{43}=?$/;

/** An encryption key from its id and the base64 of its 32 bytes, or null when either has another form. */
export function encryptionKeyOf(id: string, base64: string): EncryptionKey | null {
  if (!ID.test(id) || !BASE64_OF_32_BYTES.test(base64)) return null;
  return { id, key: Buffer.from(base64, 'base64') };
}
