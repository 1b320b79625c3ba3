import { posix } from 'node:path';
import type { OutsidePlan } from '@sluice/core/pipeline';
import * as z from 'zod';
import { refusal, type ToolContext } from './agent-tool.ts';
import { pathsOfPatch } from './parse-patch.ts';

const MAX_NAMED = 20; // files of the plan in a refusal; the whole plan stands in the request
const MAX_REASON = 500; // a sentence or two: a person reads it at the diff

/** The part of a writing tool's input that lets it leave the plan. */
export const outsidePlanReason = z.string().max(MAX_REASON).optional();

/**
 * Lets a writing tool touch files of the plan, or other ones with a reason.
 *
 * @throws AppError `tool_refused`
 */
export function requireScope(
  { plannedFiles }: Pick<ToolContext, 'plannedFiles'>,
  paths: readonly string[],
  reason: string | undefined,
): void {
  if (plannedFiles === null || isReason(reason)) return;
  const outside = paths.filter((path) => !isPlanned(plannedFiles, path));
  if (outside.length === 0) return;
  throw refusal(
    `${listed(outside)} ${outside.length === 1 ? 'is' : 'are'} not in the approved plan, whose files are: ${listed(plannedFiles) || 'none'}. Stay within them; where that is impossible, give outside_plan_reason.`,
  );
}

function listed(paths: readonly string[]): string {
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : '';
  return `${paths.slice(0, MAX_NAMED).join(', ')}${more}`;
}

/** Whether a plan names a path, however the two are spelled. */
export function isPlanned(plannedFiles: readonly string[], path: string): boolean {
  const plain = plainPath(path);
  return plannedFiles.some((planned) => plainPath(planned) === plain);
}

/** A path relative to the root as git spells it. */
export function plainPath(path: string): string {
  return posix.normalize(path);
}

/**
 * The files that a call wrote outside the plan, with the reason in its input.
 *
 * @param call its input, of whatever shape that is, and its answer, by which a tool of many files tells what it wrote
 */
export function outsidePlanOf(
  plannedFiles: readonly string[],
  call: { readonly input: unknown; readonly text: string },
): OutsidePlan[] {
  const { data } = writingInput.safeParse(call.input);
  const reason = data?.outside_plan_reason;
  if (data === undefined || !isReason(reason)) return [];
  const { path, patch = '' } = data;
  // The answer of an interrupted call names no file, but a patch does.
  const paths = path === undefined ? new Set([...writtenPaths(call.text), ...pathsOfPatch(patch)]) : [path];
  return [...paths]
    .filter((path) => !isPlanned(plannedFiles, path))
    .map((path) => ({ path: plainPath(path), reason: reason.trim() }));
}

const writingInput = z.object({
  path: z.string().optional(),
  patch: z.string().optional(),
  outside_plan_reason: z.string().optional(),
});

/** The files that a call of a tool of many files wrote, by its answer: a line `path: what was done` for each. */
export function writtenPaths(answer: string): string[] {
  return [...answer.matchAll(/^(.+): (?:\d+ places?|new|deleted|moved)\b.*$/gm)].map(([, path]) => path ?? '');
}

/** A reason has words in it: models fill an optional field with '' or '-'. */
function isReason(text: string | undefined): text is string {
  return text !== undefined && /[\p{L}\p{N}]/u.test(text);
}
