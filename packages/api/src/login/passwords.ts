import { randomBytes } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';

/** argon2id as OWASP asks of it at the least: 19 MiB, two passes, one lane. */
const usualCost = { algorithm: 2 /* argon2id */, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** What a hash costs whoever makes one. */
export type PasswordCost = Readonly<Record<'algorithm' | 'memoryCost' | 'timeCost' | 'parallelism', number>>;

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Whether the password belongs to the hash. Takes as long when there is no hash, so that its absence does not show. */
  verify(passwordHash: string | null, password: string): Promise<boolean>;
}

/** A person may type the same characters in two encodings on two machines; this makes them one. */
function normalize(password: string): string {
  return password.normalize('NFKC');
}

/** @param cost less than the usual one where hashes are of nobody */
export function createPasswords(cost: PasswordCost = usualCost): Passwords {
  // Made at once, not at the first need: that one login would take twice as long and so say that nobody has the e-mail.
  const nobodys = hash(randomBytes(16).toString('hex'), cost);
  nobodys.catch(() => {}); // whoever needs it hears of it
  return {
    hash: (password) => hash(normalize(password), cost),
    verify: async (passwordHash, password) => {
      const matches = await verify(passwordHash ?? (await nobodys), normalize(password));
      return matches && passwordHash !== null;
    },
  };
}

/** Whether a hash was made with less than what is asked for today, and should be made again at the next login. */
export function isWeakHash(passwordHash: string): boolean {
  const made = parseOptions(passwordHash);
  return (
    made.algorithm !== usualCost.algorithm ||
    made.memoryCost < usualCost.memoryCost ||
    made.timeCost < usualCost.timeCost ||
    made.parallelism < usualCost.parallelism
  );
}
