import type { EncryptedSecretStore } from '@sluice/core/account';
import type { Logger } from 'pino';
import type { EncryptionKey } from '../config/encryption-key.ts';
import { reencryptTokens } from '../keys/reencrypt-tokens.ts';
import { boundUnder, createTokenCipher } from '../keys/token-cipher.ts';

interface BindContext {
  readonly store: EncryptedSecretStore;
  readonly keys: readonly EncryptionKey[];
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/**
 * Upgrades tokens that an earlier release encrypted without binding them to their row, or stored in the clear. They can still
 * be read. If this process has the database to itself, it re-encrypts them. If the database may be shared, processes of the earlier release
 * could not read the new form, so the log asks the operator to do it later. A failure never prevents the start.
 */
export async function bindTokens({ store, keys, log }: BindContext, isAlone: boolean): Promise<void> {
  const done = keys.map(({ id }) => boundUnder(id));
  if (!isAlone) {
    const [unbound] = [...(await store.plain(1)), ...(await store.encryptedUnderOther(done, 1))];
    if (unbound === undefined) return;
    const what =
      'some tokens are stored in the form of an earlier release, in the clear or encrypted without a bond to their row';
    log.info({}, `${what}: run "sluice admin rotate-keys" once every process runs this release`);
    return;
  }
  try {
    // A separate cipher: the warning about lost keys has reported unreadable tokens already.
    await reencryptTokens({ store, cipher: createTokenCipher(keys) }, { done });
  } catch (error) {
    log.warn({ err: error }, 'tokens of an earlier release could not be re-encrypted; the next start retries');
  }
}

const MAX_NAMED = 20; // each costs a table scan, and keys are rarely rotated that often

/** Logs the missing keys of stored tokens at start, before a user meets a token that cannot be decrypted. */
export async function warnOfLostKeys(
  store: Pick<EncryptedSecretStore, 'encryptedUnderOther'>,
  keys: readonly EncryptionKey[],
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const there = keys.map(({ id }) => id);
  const lost: string[] = [];
  while (lost.length < MAX_NAMED) {
    const [secret] = await store.encryptedUnderOther([...there, ...lost], 1);
    const id = secret?.encryptedToken.encrypted.split(':')[0];
    if (id === undefined || lost.includes(id)) break; // a damaged token is returned every time
    lost.push(id);
  }
  if (lost.length === 0) return;
  log.warn(
    { missing_keys: lost },
    `ENCRYPTION_KEYS lacks ${lost.map((id) => `"${id}"`).join(', ')}, which encrypts stored tokens: add it again and run "sluice admin rotate-keys" before you remove it; otherwise users have to set these tokens again`,
  );
}
