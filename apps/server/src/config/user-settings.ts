import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { parseEnv } from 'node:util';
import { userFile } from './load-config.ts';
import { ConfigError, problemOf } from './parse-config.ts';
import type { Variable } from './variable.ts';
import { type VariableName, variables } from './variables.ts';

/**
 * Sets a variable in the user's file, which only this user can read. Other lines stay as they are.
 *
 * @returns the path of the file
 * @throws ConfigError when there is no such variable, its parser refuses the value, or the file cannot be written
 */
export function setUserVariable(name: string, value: string): string {
  const known = variableName(name);
  const { schema }: Variable = variables[known];
  const trimmed = value.trim();
  const parsed = trimmed === '' ? null : schema.safeParse(trimmed);
  if (parsed?.success !== true) {
    const faults = parsed?.error.issues.map(({ message }) => message) ?? ['is empty'];
    throw new ConfigError([problemOf(known, trimmed, faults)]);
  }
  return change(known, `${known}=${quoted(known, trimmed)}`);
}

/** Removes a variable from the user's file. @returns the path of the file @throws ConfigError as for `setUserVariable` */
export function unsetUserVariable(name: string): string {
  return change(variableName(name), null);
}

function change(name: string, line: string | null): string {
  const path = userFile();
  if (path === null) throw new ConfigError(['the user has no home folder, so there is no file; set XDG_CONFIG_HOME']);
  const before = readIfThere(path);
  const isOfName = (text: string) => new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`).test(text);
  const kept = before.split('\n').filter((text) => !isOfName(text));
  while (kept.at(-1) === '') kept.pop();
  const after = [...kept, ...(line === null ? [] : [line])].map((text) => `${text}\n`).join('');
  refuseOtherChanges(path, { name, before, after });
  if (after !== before) writeSafely(path, after);
  return path;
}

/** A value over several lines is not understood line by line: better refuse than damage it. */
function refuseOtherChanges(path: string, { name, before, after }: { name: string; before: string; after: string }) {
  const others = (text: string) => JSON.stringify(Object.entries({ ...parseEnv(text), [name]: '' }).toSorted());
  if (others(before) === others(after)) return;
  throw new ConfigError([`${path}: a value spans several lines, so the file was not changed; edit it by hand`]);
}

function quoted(name: string, value: string): string {
  const forms = [value, `'${value}'`, `"${value}"`, `\`${value}\``];
  const form = forms.find((one) => parseEnv(`${name}=${one}\n`)[name] === value);
  if (form !== undefined) return form;
  throw new ConfigError([`${name}: holds all three quotes, or several lines, which such a file cannot hold`]);
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    throw new ConfigError([`${path}: cannot be read (${code})`]);
  }
}

/** The old file or the new one, whatever happens; never a mixture. Follows a link, as dotfiles are often kept. */
function writeSafely(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const target = realPath(path);
    const temporary = `${target}.${process.pid}.new`;
    const file = openSync(temporary, 'w', 0o600);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError([`${path}: cannot be written (${code})`]);
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** @throws ConfigError, with the names that are nearest, when there is no such variable */
function variableName(name: string): VariableName {
  if (Object.hasOwn(variables, name)) return name as VariableName;
  const upper = name.toUpperCase();
  const names = Object.keys(variables);
  const nearest = names.find((other) => other === upper || isOneTypo(other, upper));
  const beginning = names.filter((other) => other.startsWith(upper) || other.endsWith(`_${upper}`));
  const meant = nearest === undefined ? beginning.slice(0, 3) : [nearest];
  const advice = meant.length === 0 ? 'docs/configuration.md lists them' : `did you mean ${meant.join(' or ')}?`;
  throw new ConfigError([`${name}: there is no such variable; ${advice}`]);
}

/** Whether one letter is missing, added, wrong, or changed places with the next one. */
function isOneTypo(name: string, typed: string): boolean {
  let start = 0;
  while (start < name.length && name[start] === typed[start]) start += 1;
  const [rest, typedRest] = [name.slice(start), typed.slice(start)];
  const swapped = `${typedRest.charAt(1)}${typedRest.charAt(0)}${typedRest.slice(2)}`;
  return [typedRest.slice(1), swapped].includes(rest) || [typedRest, typedRest.slice(1)].includes(rest.slice(1));
}
