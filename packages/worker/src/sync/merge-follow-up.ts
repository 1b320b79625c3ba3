import type { ChangeRequest } from '@sluice/core/code-host';
import type { CausedFollowUp } from '@sluice/core/follow-up';
import type { Issue } from '@sluice/core/issue';
import { isTerminal } from '@sluice/core/issue';
import { type FollowUpCause, followUpKey, plannedFiles } from '@sluice/core/pipeline';
import { quotedLines, shortened, UNTRUSTED_BASE_HEADING, visibleLine } from '@sluice/core/text';
import type { BranchStanding } from '@sluice/core/workspace';

/** An open pull request of ours whose base branch has other commits. */
export interface MovedBase {
  readonly change: Pick<ChangeRequest, 'number' | 'url' | 'headBranch' | 'baseBranch'>;
  readonly standing: BranchStanding;
  /** The issue that led to the pull request. */
  readonly first: Issue;
  /** The code host merges only what has the newest commit of the base. */
  readonly mustBeUpToDate: boolean;
}

/**
 * The files in which the base has moved under a pull request: those in conflict, those that both have changed, and those of the
 * plan that the base has changed. Sorted.
 */
export function filesMoved({ standing, first }: Pick<MovedBase, 'standing' | 'first'>): string[] {
  const atBase = new Set(standing.changedAtBase);
  const planned = first.plan === null ? [] : plannedFiles(first.plan);
  const both = [...standing.changedOnBranch, ...planned].filter((path) => atBase.has(path));
  return [...new Set([...standing.conflicts.map(({ path }) => path), ...both])].sort();
}

/** Whether a base that moved concerns the pull request. */
export function isBaseConcern(moved: MovedBase): boolean {
  return !moved.standing.isContained && (moved.mustBeUpToDate || filesMoved(moved).length > 0);
}

/**
 * The follow-up that merges the base, or null for none: while other work on the pull request goes on, and where one for the
 * same head did not succeed, as a person decides on that.
 *
 * @param followUps all follow-ups of the first issue
 */
export function mergeFollowUp(moved: MovedBase, followUps: readonly Issue[]): Omit<CausedFollowUp, 'queue'> | null {
  const { change, standing, first } = moved;
  if (![first, ...followUps].every(({ status }) => isTerminal(status))) return null;
  const isTried = followUps.some(({ pipeline: { follow_up }, result }) => {
    return follow_up?.kind === 'base' && follow_up.head_commit === standing.headCommit && result === null;
  });
  if (isTried) return null;
  const cause: FollowUpCause = {
    kind: 'base',
    head_commit: standing.headCommit,
    base_branch: change.baseBranch,
    base_commit: standing.baseCommit,
  };
  return {
    ...mergeText(moved),
    first,
    branch: change.headBranch,
    cause,
    key: followUpKey(cause) ?? '',
    url: change.url,
  };
}

const SHORT_COMMIT = 12;
const TITLE_CHARACTERS = 200; // the limit of a title
const SUBJECT_CHARACTERS = 200;
const MAX_CONFLICTS = 50; // the plan has them all

function mergeText({ change, standing }: MovedBase): { readonly title: string; readonly body: string } {
  const what = `${plain(change.baseBranch)} (${standing.baseCommit.slice(0, SHORT_COMMIT)})`;
  const { conflicts, subjects } = standing;
  const files = conflicts.slice(0, MAX_CONFLICTS).map(({ path }) => `\`${plain(path)}\``);
  const more = conflicts.length - files.length;
  return {
    title: [...`Merge ${what} into pull request #${change.number}`].slice(0, TITLE_CHARACTERS).join(''),
    body: [
      `The base branch of pull request #${change.number} has moved. ${what} is merged into \`${plain(change.headBranch)}\`, and the tests run again.`,
      ...(files.length === 0 ? [] : [`Conflicts in: ${files.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`]),
      ...(subjects.length === 0 ? [] : [UNTRUSTED_BASE_HEADING, quotedLines(subjects.map(subjectLine).join('\n'))]),
    ].join('\n\n'),
  };
}

function subjectLine(subject: string): string {
  return `- ${shortened(visibleLine(subject), SUBJECT_CHARACTERS)}`;
}

function plain(name: string): string {
  return visibleLine(name).replaceAll('`', "'");
}
