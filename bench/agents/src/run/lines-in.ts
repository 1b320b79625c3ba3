import { existsSync, writeFileSync } from 'node:fs';
import type * as z from 'zod';
import { parseJson, readText } from '../usage/read-json.ts';

/**
 * The JSON values in the lines of a file that runs append to; none when there is no file. A last line that was cut, by a
 * full disk or a power failure, is removed, so that what is appended next begins a line of its own.
 *
 * @throws UsageError that names any other line that is not of the schema
 */
export function linesIn<Value>(file: string, schema: z.ZodType<Value>): Value[] {
  if (!existsSync(file)) return [];
  const text = readText(file);
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole !== text) writeFileSync(file, whole);
  return whole
    .split('\n')
    .flatMap((line, at) => (line === '' ? [] : [parseJson(line, schema, { file, line: at + 1 })]));
}
