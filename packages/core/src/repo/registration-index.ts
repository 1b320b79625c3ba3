import type { RepoId, UserId } from '../id/id.ts';
import type { Repo } from './repo.ts';

/** Registered repositories by their id at the code host. */
export interface RegistrationIndex {
  /** Every registration of that repository by a user who is not disabled, oldest first. */
  registrations(codehostRepoId: string): Promise<readonly Repo[]>;
  /** The user's registrations of these repositories, by the host's id. */
  registered(userId: UserId, codehostRepoIds: readonly string[]): Promise<ReadonlyMap<string, RepoId>>;
}
