import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { UsageError } from './usage-error.ts';

/** The text of a file that a person has named. @throws UsageError that names it */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    throw new UsageError(code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read (${code}).`);
  }
}

/** A file of JSON. @throws UsageError that names the file, and the line at which it is no JSON */
export function readJson<Value>(file: string, schema: z.ZodType<Value>): Value {
  return parseJson(readText(file), schema, { file, line: null });
}

/** Where a text is from: a line of a file, or all of it. */
interface Place {
  readonly file: string;
  /** From 1; null for the whole file. */
  readonly line: number | null;
}

/** A text of JSON. @throws UsageError that names the place, and what is wrong there */
export function parseJson<Value>(text: string, schema: z.ZodType<Value>, { file, line }: Place): Value {
  const value = jsonIn(text, (message) => new UsageError(`${file}, line ${line ?? faultyLine(text)}: ${message}`));
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UsageError(`${file}${line === null ? '' : `, line ${line}`}: ${z.prettifyError(parsed.error)}`);
}

function jsonIn(text: string, faultOf: (message: string) => UsageError): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw faultOf(`not valid JSON: ${(error as SyntaxError).message.replaceAll('\n', ' ')}`);
  }
}

/** The engine tells a position for some faults only, so the longest beginning is looked for that could still go on. */
function faultyLine(text: string): number {
  let [good, bad] = [0, text.length];
  while (good < bad) {
    const length = Math.floor((good + bad) / 2) + 1;
    if (couldGoOn(text.slice(0, length))) good = length;
    else bad = length - 1;
  }
  return text
    .slice(0, good + 1)
    .trimEnd()
    .split('\n').length;
}

function couldGoOn(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch (error) {
    const { message } = error as SyntaxError;
    return /end of JSON|Unterminated/.test(message) || message.includes(`at position ${beginning.length} `);
  }
}
