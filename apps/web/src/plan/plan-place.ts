import type { Repo } from '@sluice/client';

/** Where the files of a plan are. */
export interface PlanPlace {
  readonly repoId: string;
  /** Undefined while it loads. */
  readonly repo: Pick<Repo, 'url' | 'provider'> | undefined;
  /** The commit that the plan was made on, or a branch where that is not known. */
  readonly commit: string;
}
