import { openAdminStores } from '../compose/open-admin-stores.ts';
import { type LoadConfigOptions, loadConfig } from '../config/load-config.ts';
import { type ResealCounts, resealSecrets } from '../keys/reseal-secrets.ts';
import { loadSecrets } from '../keys/secrets.ts';
import { boundUnder, createTokenCipher } from '../keys/token-cipher.ts';

export interface RotationReport extends ResealCounts {
  /** The id of the key that everything is sealed under now. */
  readonly key: string;
  /** The keys that nothing readable is sealed under any more. */
  readonly other_keys: readonly string[];
}

/**
 * Seals every stored token under the first of ENCRYPTION_KEYS and bound to its row, so that the other keys can be taken
 * away. Safe while servers of this release run that have the same first key; where the database is SQLite its one server has to be stopped.
 *
 * @throws ConfigError
 * @throws StartError when the database cannot be opened
 */
export async function rotateKeys(options: LoadConfigOptions = {}): Promise<RotationReport> {
  const config = loadConfig(options);
  await using stores = await openAdminStores(config); // first: it finishes a restore, which brings secrets.json
  const { encryptionKeys } = loadSecrets(config);
  const [first, ...others] = encryptionKeys;
  if (first === undefined) throw new Error('An installation has at least one encryption key.');
  const counts = await resealSecrets(
    { store: stores.sealedSecrets, cipher: createTokenCipher(encryptionKeys) },
    { done: [boundUnder(first.id)], act: { action: 'installation.keys_rotated', detail: { key: first.id } } },
  );
  return { key: first.id, other_keys: others.map(({ id }) => id), ...counts };
}
