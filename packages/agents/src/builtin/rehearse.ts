import { applyOperation } from './apply-operation.ts';
import { type EditForm, type EditOperation, operationFiles } from './edit-operation.ts';

/** A form with the result of a dry run; `fault` is null when it applies. */
export interface RehearsedForm {
  readonly form: EditForm;
  readonly fault: string | null;
}

/** The files as they are; null = absent. A path that is not in it could not be read. */
export type KnownFiles = ReadonlyMap<string, string | null>;

/**
 * Carries the forms out in memory, in order, so that the person at the gate sees what would not apply.
 *
 * @param files takes the files as they are afterwards
 */
export function rehearse(
  forms: readonly EditForm[],
  known: KnownFiles,
  files: Map<string, string | null> = new Map(known),
): RehearsedForm[] {
  return forms.map((form) => {
    if (form.kind === 'refused') return { form, fault: form.reason };
    const fault = rehearseOne(form, files);
    return { form, fault };
  });
}

function rehearseOne(operation: EditOperation, files: Map<string, string | null>): string | null {
  if (operation.kind === 'patch' && operation.action === 'rename' && (files.get(operation.newPath) ?? null) !== null) {
    return `${operation.newPath} exists already`;
  }
  const [path = ''] = operationFiles(operation);
  const result = applyOperation(operation, files.get(path) ?? null);
  if (!result.ok) return result.reason;
  if (result.calls.every((call) => call.before === call.after)) return `it changes nothing in ${path}`;
  for (const call of result.calls) files.set(call.path, call.after);
  return null;
}
