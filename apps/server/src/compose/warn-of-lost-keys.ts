import type { EncryptedSecretStore } from '@sluice/core';
import type { Logger } from 'pino';
import type { EncryptionKey } from '../config/encryption-key.ts';

const MOST_NAMED = 20; // each is a look through the table, and nobody has changed keys more often than that

/** Says which keys are missing that stored tokens are sealed under, before a user finds out by one that cannot be read. */
export async function warnOfLostKeys(
  store: Pick<EncryptedSecretStore, 'encryptedUnderOther'>,
  keys: readonly EncryptionKey[],
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const there = keys.map(({ id }) => id);
  const lost: string[] = [];
  while (lost.length < MOST_NAMED) {
    const [secret] = await store.encryptedUnderOther([...there, ...lost], 1);
    const id = secret?.sealed.encrypted.split(':')[0];
    if (id === undefined || lost.includes(id)) break; // a damaged one is found again and again
    lost.push(id);
  }
  if (lost.length === 0) return;
  log.warn(
    { missing_keys: lost },
    `ENCRYPTION_KEYS lacks ${lost.map((id) => `"${id}"`).join(', ')}, under which tokens are stored: put it back and run "sluice admin rotate-keys" before it is taken away, or their users have to give them anew`,
  );
}
