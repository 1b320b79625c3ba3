import type { EncryptedSecret, EncryptedSecretStore, InstallationAct, TokenCipher } from '@sluice/core';

const BATCH = 100; // each row is a write of its own, so a kill loses nothing and nobody waits

export interface ResealCounts {
  /** Now under the first key. */
  readonly codehost_grants: number;
  readonly repo_access_tokens: number;
  /** Sealed under a key that is not there any more, or damaged: nobody can open them. */
  readonly unreadable: number;
}

interface ResealContext {
  readonly store: EncryptedSecretStore;
  /** Its first key seals. */
  readonly cipher: TokenCipher;
}

interface ResealOptions {
  /** What is sealed under one of these is left as it is: as `encryptedUnderOther` takes them. */
  readonly done: readonly string[];
  /** Written with the first that is sealed anew. */
  readonly act?: InstallationAct;
}

/**
 * Seals anew, under the first key and bound to its row, whatever is not `done`, row by row. What a server changes meanwhile is left to
 * it, and looked at again: so it may be run while serving, and again after it was stopped.
 */
export async function resealSecrets({ store, cipher }: ResealContext, options: ResealOptions): Promise<ResealCounts> {
  const done = { codehost_grant: 0, repo_access_token: 0 };
  const unreadable = new Set<string>();
  const nameOf = ({ kind, id }: EncryptedSecret) => `${kind} ${id}`;
  // Once, with the first that is written: cut short, what was changed has its entry, and nothing changed has none.
  let { act } = options;
  for (;;) {
    // Those that cannot be opened stay among the others, so they must not fill the batch.
    const found = await store.encryptedUnderOther(options.done, BATCH + unreadable.size);
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
    unreadable: unreadable.size,
  };
}

function opened(cipher: TokenCipher, secret: EncryptedSecret): string | null {
  try {
    return cipher.decrypt(secret, secret.sealed);
  } catch {
    return null;
  }
}
