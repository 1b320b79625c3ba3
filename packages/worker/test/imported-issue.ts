import type { Issue, NewIssue } from '@sluice/core/issue';
import { type Repo, repoSettingsSchema } from '@sluice/core/repo';
import { aNewIssue, aNewRepo, aNewUser, newId } from '@sluice/testing';
import type { World } from './world.ts';

/** The number of the issue at the code host. */
export const IMPORTED_NUMBER = 7;

/** A queued issue of a new user, imported from a new repository at the code host. */
export async function importedIssue(
  world: World,
  { more = {}, settings = {} }: { readonly more?: Partial<NewIssue>; readonly settings?: object } = {},
): Promise<Issue> {
  const user = aNewUser();
  const id = newId<Repo['id']>();
  await world.users.create(user);
  const made = await world.repos.create(
    aNewRepo({
      userId: user.id,
      name: 'acme/sum',
      provider: 'codehost',
      id,
      codehostRepoId: id, // by which the host knows it as `acme/ID`, which is how it is registered
      settings: repoSettingsSchema.parse(settings),
    }),
  );
  if (made.kind !== 'created') throw new Error('the repository exists');
  const url = `https://host.test/acme/sum/issues/${IMPORTED_NUMBER}`;
  const codehost = { number: IMPORTED_NUMBER, commentId: null, url };
  const issue = aNewIssue({ userId: user.id, repoId: made.repo.id, origin: 'codehost', codehost, ...more });
  const outcome = await world.issues.create(issue, { queue: true });
  if (outcome.kind !== 'applied') throw new Error(outcome.kind);
  return outcome.issue;
}
