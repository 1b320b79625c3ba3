import { posix } from 'node:path';
import type { OutsidePlan } from '@sluice/core';
import * as z from 'zod';
import { refusal, type ToolContext } from './agent-tool.ts';

const MAX_NAMED = 20; // files of the plan in a refusal; the whole plan stands in the request
const MAX_REASON = 500; // a sentence or two: a person reads it at the diff

/** The part of a writing tool's input that lets it leave the plan. */
export const outsidePlanReason = z
  .string()
  .max(MAX_REASON)
  .optional()
  .describe(
    'Only for a file that the plan does not name: why it must be changed all the same. The reviewer and a person read it.',
  );

/**
 * Lets a writing tool touch a file of the plan, or another one with a reason.
 *
 * @throws AppError `tool_refused`
 */
export function requireScope(
  { plannedFiles }: Pick<ToolContext, 'plannedFiles'>,
  path: string,
  reason: string | undefined,
): void {
  if (plannedFiles === null || isPlanned(plannedFiles, path) || isReason(reason)) return;
  const named = plannedFiles.slice(0, MAX_NAMED).join(', ') || 'none';
  const more = plannedFiles.length > MAX_NAMED ? ` and ${plannedFiles.length - MAX_NAMED} more` : '';
  throw refusal(
    `${path} is not in the approved plan, whose files are: ${named}${more}. Stay within them; where that is impossible, give outside_plan_reason.`,
  );
}

/** Whether a plan names a path, however the two are spelled. */
export function isPlanned(plannedFiles: readonly string[], path: string): boolean {
  const wanted = plainPath(path);
  return plannedFiles.some((planned) => plainPath(planned) === wanted);
}

/** A path relative to the root as git spells it. */
export function plainPath(path: string): string {
  return posix.normalize(path);
}

/** The reason in a call's input, of whatever shape that is, when it left the plan. */
export function outsidePlanOf(plannedFiles: readonly string[], input: unknown): OutsidePlan | null {
  const { data } = writingInput.safeParse(input);
  if (data === undefined || isPlanned(plannedFiles, data.path) || !isReason(data.outside_plan_reason)) return null;
  return { path: plainPath(data.path), reason: data.outside_plan_reason.trim() };
}

const writingInput = z.object({ path: z.string(), outside_plan_reason: z.string().optional() });

/** A reason has words in it: models fill an optional field with '' or '-'. */
function isReason(text: string | undefined): text is string {
  return text !== undefined && /[\p{L}\p{N}]/u.test(text);
}
