import type { EncryptedSecret, EncryptedSecretStore, PlainSecret, TokenCipher } from '@sluice/core/account';
import type { InstallationAct } from '@sluice/core/audit';

const BATCH = 100; // each row is a separate write, so a kill loses nothing and no write waits long

export interface ReencryptionCounts {
  /** Re-encrypted with the first key. */
  readonly codehost_grants: number;
  readonly repo_access_tokens: number;
  readonly notification_secrets: number;
  readonly notification_urls: number;
  readonly second_factors: number;
  /** Damaged, or encrypted with a key that is missing. */
  readonly unreadable: number;
}

interface ReencryptionContext {
  readonly store: EncryptedSecretStore;
  /** Encrypts with its first key. */
  readonly cipher: TokenCipher;
}

interface ReencryptionOptions {
  /** Tokens with one of these prefixes are up to date, see `encryptedUnderOther`. */
  readonly done: readonly string[];
  /** Recorded with the first token that is re-encrypted. */
  readonly act?: InstallationAct;
}

/**
 * Re-encrypts every token that is not `done` with the first key, bound to its row, row by row; also what an earlier release
 * stored in the clear. A row that a server changes
 * meanwhile is checked again, so this may run beside servers and can be repeated after an interruption.
 */
export async function reencryptTokens(
  { store, cipher }: ReencryptionContext,
  options: ReencryptionOptions,
): Promise<ReencryptionCounts> {
  const done = {
    codehost_grant: 0,
    repo_access_token: 0,
    notification_secret: 0,
    notification_url: 0,
    second_factor: 0,
  };
  const unreadable = new Set<string>();
  const nameOf = ({ kind, id }: EncryptedSecret | PlainSecret) => `${kind} ${id}`;
  // Recorded once, with the first token: an interrupted run has its entry, and one that changed nothing has none.
  let { act } = options;
  for (;;) {
    // Unreadable tokens are returned every time, so they must not fill the batch.
    const encrypted = await store.encryptedUnderOther(options.done, BATCH + unreadable.size);
    const found = [...(await store.plain(BATCH)), ...encrypted];
    const todo = found.filter((secret) => !unreadable.has(nameOf(secret)));
    if (todo.length === 0) break;
    for (const secret of todo) {
      const token = opened(cipher, secret);
      if (token === null) unreadable.add(nameOf(secret));
      else if (await store.reencrypt(secret, cipher.encrypt(secret, token), act)) {
        done[secret.kind] += 1;
        act = undefined;
      }
    }
  }
  return {
    codehost_grants: done.codehost_grant,
    repo_access_tokens: done.repo_access_token,
    notification_secrets: done.notification_secret,
    notification_urls: done.notification_url,
    second_factors: done.second_factor,
    unreadable: unreadable.size,
  };
}

function opened(cipher: TokenCipher, secret: EncryptedSecret | PlainSecret): string | null {
  if ('plain' in secret) return secret.plain;
  try {
    return cipher.decrypt(secret, secret.encryptedToken);
  } catch {
    return null;
  }
}
