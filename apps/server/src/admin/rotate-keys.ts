import { createAuditSealer } from '@sluice/core/audit';
import { auditHeadFile } from '../audit/audit-head-file.ts';
import { auditKeysOf } from '../audit/audit-keys.ts';
import { openAdminStores } from '../compose/open-admin-stores.ts';
import { type LoadConfigOptions, loadConfig } from '../config/load-config.ts';
import { type ReencryptionCounts, reencryptTokens } from '../keys/reencrypt-tokens.ts';
import { loadSecrets } from '../keys/secrets.ts';
import { boundUnder, createTokenCipher } from '../keys/token-cipher.ts';

export interface RotationReport extends ReencryptionCounts {
  /** The id of the key that now encrypts every token. */
  readonly key: string;
  /** The keys that encrypt no readable token any more. */
  readonly other_keys: readonly string[];
  /** Why the audit log was not sealed with the new key, whose seals vouch for those of the old ones; null: it was. */
  readonly audit_refused: string | null;
}

/**
 * Encrypts every stored token with the first of ENCRYPTION_KEYS, bound to its row, so that the other keys can be removed.
 * Safe while servers of this release with the same first key run; with SQLite the server must be stopped.
 *
 * @throws ConfigError
 * @throws StartError when the database cannot be opened
 */
export async function rotateKeys(options: LoadConfigOptions = {}): Promise<RotationReport> {
  const config = loadConfig(options);
  await using stores = await openAdminStores(config); // first: it completes a restore, which brings secrets.json
  const { encryptionKeys } = loadSecrets(config);
  const [first, ...others] = encryptionKeys;
  if (first === undefined) throw new Error('An installation has at least one encryption key.');
  const counts = await reencryptTokens(
    { store: stores.encryptedSecrets, cipher: createTokenCipher(encryptionKeys) },
    { done: [boundUnder(first.id)], act: { action: 'installation.keys_rotated', detail: { key: first.id } } },
  );
  let refused: string | null = null;
  await createAuditSealer({
    store: stores.auditSeals,
    keys: auditKeysOf(encryptionKeys),
    heads: auditHeadFile(config.dataDir),
    clock: { now: () => new Date() },
    onSealed: () => undefined,
    onRefused: (why) => {
      refused = why;
    },
  }).run();
  return { audit_refused: refused, key: first.id, other_keys: others.map(({ id }) => id), ...counts };
}
