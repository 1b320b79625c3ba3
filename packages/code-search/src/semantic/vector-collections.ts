import { createHash } from 'node:crypto';
import type { RepoId } from '@sluice/core/id';

/** How the names of all collections of a repository start. */
export function collectionPrefix(repoId: RepoId): string {
  return `${repoId}.`;
}

/** The collection for a repository's vectors by that model: those of another model cannot be compared with them. */
export function collectionName(repoId: RepoId, model: string): string {
  // A model's name may have any characters, a collection's not.
  return `${collectionPrefix(repoId)}${createHash('sha256').update(model).digest('hex').slice(0, 16)}`;
}
