import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * The JSON values in the lines of a file that runs append to; none when there is no file. A last line that was cut, by a
 * full disk or a power failure, is removed, so that what is appended next begins a line of its own.
 *
 * @throws SyntaxError for any other line that is no JSON
 */
export function linesIn(file: string): unknown[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole !== text) writeFileSync(file, whole);
  return whole.split('\n').flatMap((line): unknown[] => (line === '' ? [] : [JSON.parse(line)]));
}
