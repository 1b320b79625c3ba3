import type { FieldFault } from '@sluice/core';
import type { ZodError } from 'zod';

/** More than this many say no more; a hostile body could have thousands. */
const MAX_FAULTS = 20;
const MAX_PATH = 200;

/** The faults of an input, each with the path of its field (`steps.0.title`); an unknown field is named itself. */
export function fieldFaults(error: ZodError): FieldFault[] {
  const faults = error.issues.flatMap((issue): FieldFault[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => fault([...issue.path, key], 'is not a known field'));
    }
    return [fault(issue.path, issue.message)];
  });
  return faults.slice(0, MAX_FAULTS);
}

/** One sentence that names every faulty field. */
export function summarizeFaults(faults: readonly FieldFault[]): string {
  const said = faults.slice(0, 3).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const more = faults.length > 3 ? ` (and ${faults.length - 3} more)` : '';
  return `The request is not valid. ${said.join('; ')}${more}.`;
}

function fault(path: readonly PropertyKey[], message: string): FieldFault {
  // Field names are the sender's: shortened and made well-formed before they are said back to him.
  return { path: path.map(String).join('.').slice(0, MAX_PATH).toWellFormed(), message };
}
