import * as z from 'zod';

/** The part of a JSON schema that decides how an input is read. */
interface InputSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, InputSchema>>;
  readonly required?: readonly string[];
  readonly items?: InputSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly InputSchema[];
}

/**
 * Other names that models give to an input, because other agents' tools name it so. A name counts only where the tool
 * has no input of that name itself, and the real name is not given as well.
 */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  path: 'file file_path filepath filename file_name target_file absolute_path relative_path',
  folder: 'path dir directory dir_path directory_path',
  within: 'path folder dir directory scope',
  pattern: 'query regex regexp search text',
  query: 'pattern question search',
  old_text: 'old_str old_string old search find original from',
  new_text: 'new_str new_string new replace replacement replace_with to',
  old_name: 'name from old symbol',
  new_name: 'to new',
  content: 'contents text file_text file_content file_contents body data code',
  command: 'cmd script shell_command bash_command',
  patch: 'input diff patch_text content',
  start_line: 'line_start from_line start offset',
  end_line: 'line_end to_line end',
  timeout_s: 'timeout timeout_seconds timeout_sec',
  replace_all: 'all global',
  literal: 'fixed fixed_strings',
  ignore_case: 'case_insensitive',
  context_lines: 'context',
  limit: 'max_results head_limit top_k k',
  glob: 'include file_pattern files',
  outside_plan_reason: 'reason',
};

const NAME_OF = new Map<string, readonly string[]>(
  Object.entries(OTHER_NAMES).map(([name, others]) => [name, others.split(' ')]),
);

const PATHS = new Set(['path', 'folder', 'within']);
const ROOT = /^(?:\/workspace(?:\/+|$)|(?:\.\/)+)/; // where commands see the tree

/** Reads the inputs of one tool tolerantly. */
export interface InputReader<Input> {
  /** The input with the tool's own names and types where they are certain; what is not known stays as it is. */
  canonical(input: unknown): unknown;
  /** @returns the input, and the names of what was ignored; or why it cannot be used, in one sentence */
  read(input: unknown): { readonly value: Input; readonly ignored: readonly string[] } | { readonly fault: string };
}

/**
 * Reads what a model may have meant: null, '' or a number below the least for an absent input, "1" for 1, one text for a
 * list of one, JSON in a string, other names of an input, an object around all inputs. Content is never guessed at, so
 * nothing is done that was not asked for.
 */
export function inputReader<Input>(schema: z.ZodType<Input>): InputReader<Input> {
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as InputSchema;
  const names = Object.keys(shape.properties ?? {});
  const canonical = (input: unknown) => fitted(unwrapped(input, names), shape);
  return {
    canonical,
    read(input) {
      const given = canonical(input);
      if (!isRecord(given)) return { fault: `its input must be a JSON object with ${inputs(names)}` };
      const ignored = Object.keys(given).filter((name) => !names.includes(name));
      const known = Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
      const parsed = schema.safeParse(known);
      if (parsed.success) return { value: parsed.data, ignored };
      const unknown = ignored.length === 0 ? '' : `; it has no input ${quoted(ignored)}, only ${inputs(names)}`;
      return { fault: `${parsed.error.issues.slice(0, 3).map(faultOf).join('; ')}${unknown}` };
    },
  };
}

function fitted(value: unknown, schema: InputSchema): unknown {
  const types = typesOf(schema);
  if (types.length === 0 || (value === null && types.includes('null'))) return value;
  const [type] = types.filter((one) => one !== 'null');
  const inner = schema.anyOf?.find((one) => typesOf(one).includes(type ?? '')) ?? schema;
  switch (type) {
    case 'object':
      return withOwnNames(jsonIn(value, isRecord), inner);
    case 'array': {
      const list = jsonIn(value, Array.isArray);
      return (Array.isArray(list) ? list : [list]).map((item) => fitted(item, inner.items ?? {}));
    }
    case 'integer':
    case 'number': {
      const number = numberIn(value);
      return typeof number === 'number' ? Math.min(number, inner.maximum ?? number) : number;
    }
    case 'boolean':
      return truthIn(value);
    case 'string':
      if (Array.isArray(value) && value.length === 1 && typeof value[0] === 'string') return value[0];
      return typeof value === 'number' ? String(value) : value;
    default:
      return value;
  }
}

function typesOf({ type, anyOf }: InputSchema): readonly string[] {
  if (anyOf !== undefined) return anyOf.flatMap(typesOf);
  return type === undefined ? [] : typeof type === 'string' ? [type] : type;
}

/** The inputs themselves, where they came in a list of one or as the only member of an object: `{"input": {…}}`. */
function unwrapped(input: unknown, names: readonly string[]): unknown {
  if (Array.isArray(input) && input.length === 1 && isRecord(input[0])) return input[0];
  const [member, ...others] = isRecord(input) ? Object.entries(input) : [];
  if (member === undefined || others.length > 0 || names.includes(member[0])) return input;
  return isRecord(member[1]) ? member[1] : input;
}

function withOwnNames(value: unknown, { properties = {}, required = [] }: InputSchema): unknown {
  if (!isRecord(value)) return value;
  const given = new Map(Object.entries(value).filter(([, member]) => member !== null && member !== undefined));
  for (const name of given.keys()) rename(given, name, { to: snakeCase(name), properties });
  for (const name of Object.keys(properties)) {
    const other = NAME_OF.get(name)?.find((one) => given.has(one) && !(one in properties));
    if (other !== undefined) rename(given, other, { to: name, properties });
  }
  const nulls = Object.entries(value).filter(
    ([name, member]) => member === null && typesOf(properties[name] ?? {}).includes('null'),
  );
  return Object.fromEntries([
    ...nulls,
    ...[...given].flatMap(([name, member]) => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (schema === undefined) return [[name, member]];
      const read = fitted(name === 'command' ? commandLine(member) : member, schema);
      if (!required.includes(name) && isNothing(read, schema)) return [];
      return [[name, PATHS.has(name) && typeof read === 'string' ? read.replace(ROOT, '') || '.' : read]];
    }),
  ]);
}

/** How models say that they give no value: '' or, as an end of -1 and a start of 0, a number that there cannot be. */
function isNothing(value: unknown, { minimum = Number.NEGATIVE_INFINITY }: InputSchema): boolean {
  return value === '' || (typeof value === 'number' && value < minimum);
}

function rename(
  given: Map<string, unknown>,
  from: string,
  { to, properties }: { to: string; properties: Readonly<Record<string, unknown>> },
): void {
  if (from in properties || given.has(to) || !(to in properties)) return;
  given.set(to, given.get(from));
  given.delete(from);
}

/** A value that a model has written as JSON in a string, where the value itself would do. */
function jsonIn(value: unknown, fits: (parsed: unknown) => boolean): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return fits(parsed) ? parsed : value;
  } catch {
    return value;
  }
}

function snakeCase(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}

/** Zod's messages address the author of a schema; this one addresses who calls a tool. */
function faultOf(issue: z.core.$ZodIssue): string {
  const name = issue.path.length === 0 ? 'the input' : `"${issue.path.join('.')}"`;
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('received undefined')
        ? `${name} is missing`
        : `${name} must be ${TYPES[issue.expected] ?? `of the type ${issue.expected}`}`;
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return `${name} is empty`;
      return `${name} must be at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `${name} must be at most ${issue.maximum}${unitOf(issue.origin)}`;
    default:
      return `${name}: ${issue.message}`;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function unitOf(origin: string): string {
  return origin === 'string' ? ' characters long' : origin === 'array' ? ' items long' : '';
}

function inputs(names: readonly string[]): string {
  return names.length === 0 ? 'no members' : quoted(names);
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A number that came as a text, perhaps as a time with its unit; anything else as it is. Times are in seconds. */
function numberIn(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const [, digits, unit] = /^\s*(-?\d+(?:\.\d+)?)\s*(ms|s|secs?|seconds?)?\s*$/i.exec(value) ?? [];
  if (digits === undefined) return value;
  return unit?.toLowerCase() === 'ms' ? Number(digits) / 1_000 : Number(digits);
}

/** A truth that came as a text or a number; anything else as it is. */
function truthIn(value: unknown): unknown {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^(?:true|false|yes|no|1|0)$/i.test(text)) return value;
  return /^(?:true|yes|1)$/i.test(text);
}

/** A command that came as a list of its words, as `exec` takes it: `["bash", "-lc", "make test"]`. */
function commandLine(value: unknown): unknown {
  if (!Array.isArray(value) || !value.every((word) => typeof word === 'string')) return value;
  const [shell = '', flag = '', script] = value;
  if (value.length === 3 && /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da)?sh$/.test(shell) && /^-\w*c$/.test(flag)) return script;
  // Words with spaces or signs would have to be quoted, and may be commands of their own.
  return value.every((word) => /^[\w@%+=:,./-]+$/.test(word)) ? value.join(' ') : value;
}
