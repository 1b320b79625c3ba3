import { visiblePath } from '../text/visible-text.ts';
import { guardedServices } from './guarded-services.ts';

interface Rule {
  readonly matches: (path: string) => boolean;
  readonly why: string;
}

const rules: readonly Rule[] = guardedServices.map(({ paths, why }) => {
  const patterns = paths.map(ruleFor);
  return { why, matches: (path) => patterns.some((matches) => matches(path)) };
});

/** Reads a pattern; paths are given to it in lower case: so is what a repository looks like where file names have no case. */
function ruleFor(pattern: string): Rule['matches'] {
  const lower = pattern.toLowerCase();
  if (lower.endsWith('/')) {
    // A link or a submodule in the place of the folder, or of one above it, brings files that are named nowhere.
    return (path) => path.startsWith(lower) || lower.startsWith(`${path}/`);
  }
  if (lower.startsWith('/')) return (path) => `/${path}` === lower;
  const name = new RegExp(`^${lower.split('*').map(RegExp.escape).join('.*')}$`, 's');
  return (path) => name.test(path.slice(path.lastIndexOf('/') + 1));
}

/** A changed file that a person has to let be published, and why, as one sentence. */
interface GuardedFile {
  readonly path: string;
  readonly reason: string;
}

/**
 * The changed files (made, changed, deleted; of a renamed one both names) that run with somebody's secrets.
 *
 * @param changed paths as git spells them
 */
export function guardedFiles(changed: readonly string[]): GuardedFile[] {
  return changed.flatMap((path) => {
    const rule = rules.find(({ matches }) => matches(path.toLowerCase()));
    return rule === undefined ? [] : [{ path, reason: `\`${visiblePath(path)}\` ${rule.why}.` }];
  });
}
