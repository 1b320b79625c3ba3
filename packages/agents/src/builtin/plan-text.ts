import { fenced, insides } from '../tools/fence.ts';
import { readEditForms } from './edit-forms.ts';
import { type EditForm, operationFiles } from './edit-operation.ts';

export interface PlanText {
  readonly forms: readonly EditForm[];
  /** Each path once, in order of first mention. */
  readonly files: readonly string[];
}

/** The plan as the prompt holds it: the operations in its steps' details, and nothing that stands elsewhere in it. */
export function planText(request: string): PlanText | null {
  const plan = insides('plan', request)[0];
  if (plan === undefined) return null;
  const steps = insides('step', plan);
  const forms = steps.flatMap((step) => readEditForms(fenced('step_detail', step) ?? ''));
  const files = steps.flatMap((step) => (fenced('step_files', step) ?? '').split('\n').filter((path) => path !== ''));
  const touched = forms.flatMap((form) => (form.kind === 'refused' ? [] : operationFiles(form)));
  return { forms, files: [...new Set([...files, ...touched])] };
}
