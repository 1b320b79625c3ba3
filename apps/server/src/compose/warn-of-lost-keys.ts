import type { EncryptedSecretStore } from '@sluice/core/account';
import type { Logger } from 'pino';
import type { EncryptionKey } from '../config/encryption-key.ts';

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
