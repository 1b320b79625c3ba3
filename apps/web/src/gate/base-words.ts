import type { ComparedBase } from '@sluice/client';
import { counted } from '../format/amounts.ts';

type BaseChange = Pick<ComparedBase, 'moved' | 'files_changed' | 'planned_files' | 'current_commit'>;

/** Whether the branch has moved since a plan was made, and whether that matters to it. */
export function baseWords({
  moved,
  files_changed: changed,
  planned_files: planned,
  current_commit,
}: BaseChange): string {
  if (current_commit === null) return 'not compared with the branch';
  if (!moved) return 'up to date';
  const files = counted(changed, 'file');
  if (planned.length === 0) return `the branch has moved on: ${files} changed, none of them in the plan`;
  return `the branch has moved on: ${files} changed, ${planned.length} of them in the plan`;
}

const NAMED_FILES = 20; // the planner sees the new base itself

/** The instruction to the planner when a new plan is needed because the base has moved. */
export function replanGuidance(branch: string, files: readonly string[]): string {
  const more = files.length > NAMED_FILES ? `, and ${files.length - NAMED_FILES} more` : '';
  return `Make a new plan on the current ${branch}. It has changed since in: ${files.slice(0, NAMED_FILES).join(', ')}${more}.`;
}
