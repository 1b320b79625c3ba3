import type { FieldFault } from '@sluice/core/error';
import type { ZodError } from 'zod';

type ZodIssue = ZodError['issues'][number];

/** More would not help; a hostile body could have thousands. */
const MAX_FAULTS = 20;
const MAX_PATH = 200;

/** The faults of an input, each with the path of its field (`steps.0.title`). Unknown fields are named one by one. */
export function fieldFaults(error: ZodError): FieldFault[] {
  // Cut first: a hostile body has as many issues as members.
  const faults = error.issues.slice(0, MAX_FAULTS).flatMap((issue): FieldFault[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.slice(0, MAX_FAULTS).map((key) => fault([...issue.path, key], 'is not a known field'));
    }
    const message = messageOf(issue);
    return [
      fault(issue.path, issue.code === 'invalid_type' && issue.path.length === 0 ? `The input ${message}` : message),
    ];
  });
  return faults.slice(0, MAX_FAULTS);
}

/** One sentence that names every faulty field. */
export function summarizeFaults(faults: readonly FieldFault[]): string {
  const shown = faults.slice(0, 3).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const more = faults.length > 3 ? ` (and ${faults.length - 3} more)` : '';
  return `The request is not valid. ${shown.join('; ')}${more}.`;
}

/** Zod's messages ("Invalid input: expected string, received undefined") address the author of a schema. */
function messageOf(issue: ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) return 'is required';
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input'))
    return `must be ${named(issue.expected)}`;
  if (issue.code === 'invalid_value')
    return `must be ${issue.values.map((value) => `\`${String(value)}\``).join(' or ')}`;
  if (!/^Too (small|big): /.test(issue.message)) return issue.message;
  if (issue.code === 'too_small') {
    return bound(issue.origin, `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`);
  }
  if (issue.code === 'too_big') {
    return bound(issue.origin, `${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`);
  }
  return issue.message;
}

function bound(origin: string, limit: string): string {
  if (origin === 'string') return `must have ${limit} characters`;
  return origin === 'array' ? `must have ${limit} items` : `must be ${limit}`;
}

function named(type: string): string {
  if (type === 'int') return 'a whole number';
  return type === 'array' || type === 'object' ? `an ${type}` : `a ${type}`;
}

function fault(path: readonly PropertyKey[], message: string): FieldFault {
  // Field names come from the client: shortened and made well-formed before they are repeated.
  return { path: path.map(String).join('.').slice(0, MAX_PATH).toWellFormed(), message };
}
