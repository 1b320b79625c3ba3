import type { RepoId, UserId } from '../id/id.ts';
import type { Repo } from './repo.ts';

/** Registered repositories by their id at the code host. */
export interface RegistrationIndex {
  /** Every registration of that repository at the code host, of whichever user that is not locked out, oldest first. */
  registrations(codehostRepoId: string): Promise<readonly Repo[]>;
  /** Of these registered ones, by the host's id. */
  registered(userId: UserId, codehostRepoIds: readonly string[]): Promise<ReadonlyMap<string, RepoId>>;
}
