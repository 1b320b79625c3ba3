import { hash } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { createPasswords, isWeakHash } from './passwords.ts';

const password = 'correct horse battery';

describe('passwords', () => {
  it('matches the password of a hash and no other, in whichever encoding it is typed', async () => {
    const passwords = createPasswords();
    const made = await passwords.hash('pässwörter sind gut');
    expect(isWeakHash(made)).toBe(false);
    expect(await passwords.verify(made, 'pässwörter sind gut'.normalize('NFD'))).toBe(true);
    expect(await passwords.verify(made, 'passworter sind gut')).toBe(false);
  });

  it('hashes no more at once than it may, so that many logins leave a core to other requests', async () => {
    const dear = await hash(password, { algorithm: 2, memoryCost: 19_456, timeCost: 10, parallelism: 1 });
    const cheap = await hash(password, { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 });
    const passwords = createPasswords({ algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 }, 1);
    const ended: string[] = [];
    await Promise.all([
      passwords.verify(dear, password).then(() => ended.push('the first')),
      passwords.verify(cheap, password).then(() => ended.push('the second')),
    ]);
    expect(ended).toEqual(['the first', 'the second']);
  });

  it('matches nothing without a hash, and takes as long', async () => {
    const passwords = createPasswords();
    const made = await passwords.hash(password);
    expect(await passwords.verify(null, password)).toBe(false);
    // Time of this process alone, and the shortest of several runs in turn: a busy machine makes runs longer. The kernel
    // knows the whole of it well, and only guesses how much of that was its own.
    const shortest = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY };
    for (let round = 0; round < 10; round += 1) {
      for (const [name, passwordHash] of [['known', made] as const, ['unknown', null] as const]) {
        const begun = process.cpuUsage();
        await passwords.verify(passwordHash, 'wrong');
        const { user, system } = process.cpuUsage(begun);
        shortest[name] = Math.min(shortest[name], user + system);
      }
    }
    expect(shortest.unknown).toBeGreaterThan(shortest.known / 3); // a thousandth, if it were skipped
  });
});
