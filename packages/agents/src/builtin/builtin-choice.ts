import { AppError, toAppError } from '@sluice/core/error';
import { BUILTIN_LABEL, listed, MODEL_NEEDED, type PlanDraft } from '@sluice/core/pipeline';
import { visibleLine } from '@sluice/core/text';
import { isLfsPointer, type WorkspaceFiles } from '@sluice/core/workspace';
import type { ModelChoice } from '../models/model-choice.ts';
import { textOf } from '../tools/text-of.ts';
import { createBuiltinModel } from './builtin-model.ts';
import { readEditForms } from './edit-forms.ts';
import { operationFiles } from './edit-operation.ts';
import { isNearMiss } from './near-miss.ts';
import { type KnownFiles, rehearse } from './rehearse.ts';

/** The built-in model as a choice. It is free and always finishes, so its turn limit only catches a bug. */
export function builtinChoice(): ModelChoice {
  return {
    model: createBuiltinModel(),
    name: 'builtin',
    label: BUILTIN_LABEL,
    maxTurns: 2_000,
    contextTokens: null,
    maxOutputTokens: null,
    costUsd: () => 0,
    failureOf,
    planBlocker,
  };
}

/**
 * Passes errors on: there is no provider that could fail, so an error is a bug, except for the timeout of an answer.
 */
function failureOf(error: unknown): AppError {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new AppError('model_timeout', { detail: `${BUILTIN_LABEL}: ${error.message}.` }, { cause: error });
  return toAppError(error);
}

type BlockerFiles = Pick<WorkspaceFiles, 'read' | 'storedInLfs'>;

/** Why the built-in model cannot carry out a plan, found by trying its edits in memory; null when it can. */
async function planBlocker(plan: PlanDraft, files: BlockerFiles): Promise<string | null> {
  const forms = plan.steps.flatMap(({ detail }) => readEditForms(detail));
  if (forms.length === 0) return [...plan.risks.filter(isNearMiss), MODEL_NEEDED].join(' ');
  const paths = new Set(forms.flatMap((form) => (form.kind === 'refused' ? [] : operationFiles(form))));
  const known = new Map<string, string | null>();
  for (const path of paths) known.set(path, await textOf(files, path));
  const after = new Map(known);
  const faults = rehearse(forms, known, after).filter(({ fault }) => fault !== null).length;
  return blockerOf(faults, forms.length) ?? (await refusedByLfs(files, after));
}

/** Only an edit of a pointer to another one can be committed where Git LFS stores files. */
async function refusedByLfs(files: BlockerFiles, after: KnownFiles): Promise<string | null> {
  const stored = await files.storedInLfs([...after.keys()]);
  const refused = stored.filter((path) => !isLfsPointer(Buffer.from(after.get(path) ?? '')));
  if (refused.length === 0) return null;
  const named = listed(refused.map((path) => `\`${visibleLine(path)}\``));
  return `Git LFS stores ${named}, where only pointers can be committed, so the issue will fail if you approve this plan.`;
}

function blockerOf(faults: number, total: number): string | null {
  if (faults === 0) return null;
  const edits = total === 1 ? 'Its edit does' : `${faults} of its ${total} edits ${faults === 1 ? 'does' : 'do'}`;
  return `${edits} not apply (the risks of the plan say why), so the issue will fail if you approve this plan.`;
}
