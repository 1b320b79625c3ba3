import { randomBytes } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';

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

/** @param cost lower than the default only in tests */
export function createPasswords(cost: PasswordCost = usualCost): Passwords {
  // Made at once: a first login that waited for it would take twice as long and reveal that the e-mail is unknown.
  const decoy = hash(randomBytes(16).toString('hex'), cost);
  decoy.catch(() => {}); // `verify` reports it
  return {
    hash: (password) => hash(normalize(password), cost),
    verify: async (passwordHash, password) => {
      const matches = await verify(passwordHash ?? (await decoy), normalize(password));
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
