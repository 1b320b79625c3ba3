import type { InstallationAct, SealedSecret, SealedSecretStore, TokenCipher } from '@sluice/core';

const BATCH = 100; // each row is a write of its own, so a kill loses nothing and nobody waits

export interface ResealCounts {
  /** Now under the first key. */
  readonly codehost_grants: number;
  readonly repo_access_tokens: number;
  /** Sealed under a key that is not there any more, or damaged: nobody can open them. */
  readonly unreadable: number;
}

/**
 * Seals under the first key whatever is sealed under another, row by row. What a server changes meanwhile is left to
 * it, and looked at again: so it may be run while serving, and again after it was stopped.
 */
export async function resealSecrets(
  { store, cipher }: { store: SealedSecretStore; cipher: TokenCipher },
  keyId: string,
): Promise<ResealCounts> {
  const done = { codehost_grant: 0, repo_access_token: 0 };
  const unreadable = new Set<string>();
  const nameOf = ({ kind, id }: SealedSecret) => `${kind} ${id}`;
  // Once, with the first that is written: cut short, what was changed has its entry, and nothing changed has none.
  let act: InstallationAct | undefined = { action: 'installation.keys_rotated', detail: { key: keyId } };
  for (;;) {
    // Those that cannot be opened stay among the others, so they must not fill the batch.
    const found = await store.sealedUnderOther([keyId], BATCH + unreadable.size);
    const todo = found.filter((secret) => !unreadable.has(nameOf(secret)));
    if (todo.length === 0) break;
    for (const secret of todo) {
      const token = opened(cipher, secret);
      if (token === null) unreadable.add(nameOf(secret));
      else if (await store.reseal(secret, cipher.seal(secret.userId, token), act)) {
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

function opened(cipher: TokenCipher, { userId, sealed }: SealedSecret): string | null {
  try {
    return cipher.open(userId, sealed);
  } catch {
    return null;
  }
}
