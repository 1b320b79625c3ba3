import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { createSemaphore } from '@sluice/core/async';

/** The OWASP minimum for argon2id: 19 MiB, two passes, one lane. */
const usualCost = { algorithm: 2 /* argon2id */, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The cost parameters of a hash. */
export type PasswordCost = Readonly<Record<'algorithm' | 'memoryCost' | 'timeCost' | 'parallelism', number>>;

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Whether the password matches the hash. Takes the same time without a hash, so that timing does not reveal accounts. */
  verify(passwordHash: string | null, password: string): Promise<boolean>;
}

/** Two machines may encode the same typed characters differently. */
function normalize(password: string): string {
  return password.normalize('NFKC');
}

/** A hash takes a core for some 10 ms. One core is left to the event loop, so that other requests go on during many logins. */
const usuallyAtOnce = Math.max(1, availableParallelism() - 1);

/**
 * Creates the hashing and verification of passwords.
 *
 * @param cost lower than the default only in tests
 * @param atOnce how many are hashed at the same time; others wait
 */
export function createPasswords(cost: PasswordCost = usualCost, atOnce = usuallyAtOnce): Passwords {
  const turns = createSemaphore(atOnce);
  // Made at once: a first login that waited for it would take twice as long and reveal that the e-mail is unknown.
  const decoy = hash(randomBytes(16).toString('hex'), cost);
  decoy.catch(() => {}); // `verify` reports it
  return {
    hash: (password) => turns.run(() => hash(normalize(password), cost)),
    verify: async (passwordHash, password) => {
      const matches = await turns.run(async () => await verify(passwordHash ?? (await decoy), normalize(password)));
      return matches && passwordHash !== null;
    },
  };
}

/** Whether a hash was made with lower cost than today's default, and should be replaced at the next login. */
export function isWeakHash(passwordHash: string): boolean {
  const made = parseOptions(passwordHash);
  return (
    made.algorithm !== usualCost.algorithm ||
    made.memoryCost < usualCost.memoryCost ||
    made.timeCost < usualCost.timeCost ||
    made.parallelism < usualCost.parallelism
  );
}
