import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { callerFolder } from '../terminal/environment.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';

/** A `key=value` of `-f` or `-F`. */
export interface RequestField {
  readonly key: string;
  readonly value: unknown;
}

/** Reads `key=value`, with the value as a string. */
export function rawField(text: string): RequestField {
  const at = text.indexOf('=');
  if (at < 1) throw new CommandError(exitCode.usage, `${JSON.stringify(text)} must have the form key=value.`);
  return { key: text.slice(0, at), value: text.slice(at + 1) };
}

/** Reads `key=value`, where `true`, `false`, `null` and integers are JSON, and `@FILE` (or `@-`) is the contents of a file. */
export async function typedField(text: string): Promise<RequestField> {
  const { key, value } = rawField(text) as RequestField & { value: string };
  if (/^(true|false|null|-?(0|[1-9]\d{0,14}))$/.test(value)) return { key, value: JSON.parse(value) };
  return { key, value: value.startsWith('@') ? (await readInput(value.slice(1))).toString('utf8') : value };
}

/** The contents of a file, or of standard input for `-`. @throws CommandError when it cannot be read */
export async function readInput(file: string): Promise<Buffer> {
  if (file === '-') return await buffer(process.stdin);
  try {
    return await readFile(resolve(callerFolder(), file));
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    throw new CommandError(exitCode.usage, `The file ${file} cannot be read (${code}).`);
  }
}

/** The fields as a query. A key that is given several times, or ends in `[]`, is a list. */
export function queryOf(fields: readonly RequestField[]): URLSearchParams {
  return new URLSearchParams(fields.map(({ key, value }) => [key.replace(/\[\]$/, ''), String(value)]));
}

/** The fields as a body: `settings[auto_run]=true` is a member of a member, and `labels[]=a` an item of a list. */
export function bodyOf(fields: readonly RequestField[]): Record<string, unknown> {
  const body: Record<string, unknown> = Object.create(null);
  for (const { key, value } of fields) {
    const [, name = '', rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(key) ?? [];
    if (name === '') throw new CommandError(exitCode.usage, `${JSON.stringify(key)} is not a key: use a, a[b] or a[].`);
    put(body, [name, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, inner = '']) => inner)], value);
  }
  return body;
}

function put(into: Record<string, unknown>, [name = '', next, ...rest]: readonly string[], value: unknown): void {
  if (next === undefined) into[name] = value;
  else if (next === '') into[name] = [...(Array.isArray(into[name]) ? into[name] : []), value];
  else {
    const inner = into[name];
    const member: Record<string, unknown> =
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? (inner as Record<string, unknown>)
        : Object.create(null);
    into[name] = member;
    put(member, [next, ...rest], value);
  }
}
