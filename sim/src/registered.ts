import type { UserId } from '@sluice/core/id';
import { type Repo, repoSettingsSchema } from '@sluice/core/repo';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** How the service is set up in the run of a seed: the first of its chances. */
export function shapeOf(random: Random) {
  return { cap: random.between(1, 2), gateKeepsSlot: random.chance(0.5), isEmbedded: random.chance(0.25) };
}

/** One or two users with two repositories of their own, and one that both have registered. */
export async function register({ stores, ids }: Pick<World, 'stores' | 'ids'>, random: Random): Promise<Repo[]> {
  const made: Repo[] = [];
  for (const user of ['ada', 'bob'].slice(0, random.between(1, 2))) {
    const userId = ids.next() as UserId;
    await stores.users.create({
      id: userId,
      email: `${user}@example.test`,
      name: user,
      passwordHash: 'none',
      onlyIfFirst: false,
    });
    for (const name of [user, `${user}-2`, 'both']) {
      const outcome = await stores.repos.create({
        id: ids.next() as Repo['id'],
        userId,
        name,
        url: `https://host.test/acme/${name}`,
        canonicalRemote: `host.test/acme/${name}`,
        defaultBranch: 'main',
        provider: 'codehost',
        codehostRepoId: name,
        setupCommand: null,
        testCommand: null,
        instructions: null,
        settings: repoSettingsSchema.parse({}),
        accessToken: null,
      });
      if (outcome.kind !== 'created') throw new Error('The repository exists.');
      made.push(outcome.repo);
    }
  }
  return made;
}
