import { AppError, MODEL_NEEDED, type PlanDraft, type WorkspaceFiles } from '@sluice/core';
import { readEditForms } from './edit-forms.ts';
import { operationFiles } from './edit-operation.ts';
import { isNearMiss } from './near-miss.ts';
import { rehearse } from './rehearse.ts';

/** Why the built-in model cannot carry out a plan, found by trying its edits in memory; null when it can. */
export async function planBlocker(plan: PlanDraft, files: Pick<WorkspaceFiles, 'read'>): Promise<string | null> {
  const forms = plan.steps.flatMap(({ detail }) => readEditForms(detail));
  if (forms.length === 0) return [...plan.risks.filter(isNearMiss), MODEL_NEEDED].join(' ');
  const paths = new Set(forms.flatMap((form) => (form.kind === 'refused' ? [] : operationFiles(form))));
  const known = new Map<string, string | null>();
  for (const path of paths) known.set(path, await textOf(files, path));
  return blockerOf(rehearse(forms, known).filter(({ fault }) => fault !== null).length, forms.length);
}

function blockerOf(faults: number, total: number): string | null {
  if (faults === 0) return null;
  const edits = total === 1 ? 'Its edit does' : `${faults} of its ${total} edits ${faults === 1 ? 'does' : 'do'}`;
  return `${edits} not apply (the risks of the plan say why), so approving this plan ends in "failed".`;
}

/** Null for a file that the coder cannot read either: it is absent, binary, or too large. */
async function textOf(files: Pick<WorkspaceFiles, 'read'>, path: string): Promise<string | null> {
  try {
    return await files.read(path);
  } catch (error) {
    if (error instanceof AppError && error.code === 'tool_refused') return null;
    throw error;
  }
}
