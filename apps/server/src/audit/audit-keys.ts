import { hkdfSync } from 'node:crypto';
import type { AuditKeys } from '@sluice/core/audit';
import type { EncryptionKey } from '../config/encryption-key.ts';

const PURPOSE = 'sluice audit seal 1';
const BYTES = 32;

/** The keys of the seals, derived from the encryption keys: the first makes new seals, and all check them. */
export function auditKeysOf(encryptionKeys: readonly EncryptionKey[]): AuditKeys {
  const keys = encryptionKeys.map(({ id, key }) => ({
    id,
    secret: new Uint8Array(hkdfSync('sha256', key, '', PURPOSE, BYTES)),
  }));
  const [current] = keys;
  if (current === undefined) throw new Error('the seals of the audit log need a key');
  return { current, find: (id) => keys.find((key) => key.id === id) ?? null };
}
