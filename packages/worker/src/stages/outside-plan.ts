import { gitPath, type OutsidePlan, type Plan, plannedFiles } from '@sluice/core/pipeline';

/**
 * The changed files that the plan does not name, with the coder's reasons, the newest first in `reasons`. Git decides what
 * was changed, not the coder: a file without a reason was written by a command, or without mention.
 */
export function outsidePlan(change: {
  readonly plan: Plan;
  readonly changed: readonly string[];
  readonly reasons: readonly OutsidePlan[];
}): OutsidePlan[] {
  const planned = new Set(plannedFiles(change.plan));
  return change.changed
    .filter((path) => !planned.has(path))
    .map((path) => {
      const given = change.reasons.find((one) => one.reason !== null && gitPath(one.path) === path);
      return { path, reason: given?.reason ?? null };
    });
}

const NAMED_FILES = 20; // enough to see what happened; the diff has all of them

/** One sentence about them, on one line whatever a name or a reason contains; null when there are none. */
export function renderOutsidePlan(files: readonly OutsidePlan[]): string | null {
  if (files.length === 0) return null;
  const named = files.slice(0, NAMED_FILES).map(({ path, reason }) => `${path} (${reason ?? 'no reason given'})`);
  const more = files.length - named.length;
  const sentence = `Changed outside the plan: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
  // A line break would let the coder write a message in the name of the service.
  return sentence.replaceAll(/[\p{Cc}\u2028\u2029]/gu, '?');
}
