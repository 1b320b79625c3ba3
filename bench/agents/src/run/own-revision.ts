import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RunFacts } from './run-facts.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** The state of Sluice's own repository, of which the agents are. */
export function ownRevision(): Pick<RunFacts, 'commit' | 'is_modified'> {
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim();
  // No file that git does not know is part of the agents, unless one that it knows was changed to use it.
  const changes = git('status', '--porcelain', '--untracked-files=no');
  return { commit: git('rev-parse', 'HEAD'), is_modified: changes !== '' };
}
