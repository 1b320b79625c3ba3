import { isSluiceError } from '@sluice/client';
import { visibleText } from '../format/visible-text.ts';

/** An error in words: what happened and what to do. The server's texts say both. */
export function errorText(error: unknown): string {
  if (isSluiceError(error, 'unreachable'))
    return 'The server cannot be reached. Check that it is running, then try again.';
  if (isSluiceError(error, 'timeout')) return 'The server did not answer in time. Try again.';
  if (isSluiceError(error)) return visibleText(error.detail);
  if (isMissingPart(error))
    return 'A part of this page could not be loaded: the server cannot be reached, or was updated meanwhile. Reload the page.';
  return error instanceof Error
    ? `Something went wrong in this page: ${visibleText(error.message)}. Reload it.`
    : 'Reload the page.';
}

/** Whether a script or a style sheet of the console did not load. The browsers say so in words of their own, Vite in its. */
export function isMissingPart(error: unknown): boolean {
  const words = /dynamically imported module|importing a module script failed|unable to preload css/i;
  return error instanceof Error && words.test(error.message);
}

/** Whether the server gave no answer. */
export function isConnectionFault(error: unknown): boolean {
  return isSluiceError(error, 'unreachable') || isSluiceError(error, 'timeout');
}

/** The faults of a form's fields by their names; empty for any other error. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  if (!isSluiceError(error)) return {};
  return Object.fromEntries(error.errors.map(({ path, message }) => [path, visibleText(faultText(path, message))]));
}

/** Most messages go on where the name of their field ends; others are sentences of their own. */
function faultText(path: string, message: string): string {
  return /^\p{Lu}/u.test(message) ? message : `${path.split('.').at(-1)?.replaceAll('_', ' ')} ${message}`;
}
