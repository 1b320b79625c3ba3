import type { PlanDraft } from '@sluice/core/pipeline';
import { type EditForm, operationFiles, operationTitle } from './edit-operation.ts';
import type { RehearsedForm } from './rehearse.ts';
import { writeEditForm } from './write-edit-form.ts';

export const TEST_STRATEGY =
  "The service runs the repository's own tests before and after the change and compares them. No test is written: that needs a model.";

export interface PlannedForms {
  readonly forms: readonly RehearsedForm[];
  readonly criteria: readonly string[];
  /** The changes that the guidance made, in sentences; empty for a first plan. */
  readonly changes: readonly string[];
  /** What nearly was an edit, in sentences. */
  readonly misses: readonly string[];
}

/** A plan whose steps are the operations themselves, so that nothing is approved unseen. */
export function planFromForms({ forms, criteria, changes, misses }: PlannedForms): PlanDraft {
  const files = [...new Set(forms.flatMap(({ form }) => filesOf(form)))];
  const faults = forms.filter(({ fault }) => fault !== null);
  const operations = forms.length === 1 ? 'One operation' : `${forms.length} operations`;
  const on = files.length === 1 ? 'one file' : `${files.length} files`;
  return {
    summary: [
      files.length === 0
        ? `${operations} that cannot be carried out (built-in, no model).`
        : `${operations} on ${on}, exactly as spelled out (built-in, no model): ${files.join(', ')}.`,
      ...changes,
    ].join(' '),
    steps: forms.map(({ form }) => ({ title: titleOf(form), detail: writeEditForm(form), files: filesOf(form) })),
    acceptance_criteria: [...criteria],
    risks: [
      ...faults.map(
        ({ form, fault }) => `${titleOf(form)}: ${fault}. If you approve this plan as it stands, the issue will fail.`,
      ),
      ...misses.map((miss) => `Not part of this plan: ${miss}`),
      ...forms.flatMap(({ form }) => renameRisk(form)),
      'No model has read the issue or the code. Check that these edits do what the issue asks for.',
    ],
    test_strategy: TEST_STRATEGY,
  };
}

function titleOf(form: EditForm): string {
  return form.kind === 'refused' ? 'Refused' : operationTitle(form);
}

function filesOf(form: EditForm): string[] {
  return form.kind === 'refused' ? [] : operationFiles(form);
}

/** The file tools know content only, so a renamed file is written as a new one. */
function renameRisk(form: EditForm): string[] {
  if (form.kind !== 'patch' || form.action !== 'rename') return [];
  return [
    `${operationTitle(form)}: the file is written under its new name and loses its executable bit, if it has one.`,
  ];
}
