import type { EncryptedSecretStore } from '@sluice/core';
import type { Logger } from 'pino';
import type { EncryptionKey } from '../config/encryption-key.ts';
import { resealSecrets } from '../keys/reseal-secrets.ts';
import { boundUnder, createTokenCipher } from '../keys/token-cipher.ts';

interface BindContext {
  readonly store: EncryptedSecretStore;
  readonly keys: readonly EncryptionKey[];
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/**
 * Sees to tokens that a release sealed which bound them to their user alone. They open still. Where this process has the
 * database for itself it seals them again. Where others may share it, a process of the release before could not read them,
 * so the log asks the operator to do it once those are gone. A failure never keeps a server from starting.
 */
export async function bindSealedTokens({ store, keys, log }: BindContext, isAlone: boolean): Promise<void> {
  const done = keys.map(({ id }) => boundUnder(id));
  if (!isAlone) {
    const [unbound] = await store.encryptedUnderOther(done, 1);
    if (unbound === undefined) return;
    const what = 'tokens are sealed in the form of an earlier release, which does not bind them to their row';
    log.info({}, `${what}: run "sluice admin rotate-keys" once every process runs this release`);
    return;
  }
  try {
    // Not the service's own cipher: the warning about lost keys names unreadable tokens already.
    await resealSecrets({ store, cipher: createTokenCipher(keys) }, { done });
  } catch (error) {
    log.warn({ err: error }, 'tokens of an earlier release could not be sealed again; the next start tries again');
  }
}
