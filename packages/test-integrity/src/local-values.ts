import { namesOf } from './tokens.ts';

const ASSIGNMENT =
  /^[ \t]*(?:(?:const|let|var|val|final|auto|[A-Z][\w<>,[\]?]*|int|long|double|boolean|bool)\s+(?:mut\s+)?)*([A-Za-z_]\w*)(?:\s*:\s*[^=\n]+)?\s*:?=(?![=>~])\s*([^\n]+?);?[ \t]*$/gm;
const SCALAR = /^(?:-?\d[\d_.]*|true|false|True|False|null|nil|None|undefined|"[^"\n]*"|'[^'\n]*')$/;

/** What the names of a test are set to, by its code. */
export function localValues(code: string): Map<string, string> {
  return new Map(Array.from(code.matchAll(ASSIGNMENT), ([, name = '', value = '']) => [name, value]));
}

const BOUND =
  /\b(?:const|let|var|val)\s*[{[(]([^}\])=]*)[}\])]\s*=|^[ \t]*((?:\w+,[ \t]*)+\w+)[ \t]*:?=(?!=)|\bfor\b[ \t]*\(?(?:(?:const|let|var)[ \t]+)?([\w, \t[\]{}()]+?)[ \t]+(?:in|of|:=)\b|\(([^()]*)\)[ \t]*=>|\b(?:def|function|func|fn)\b[ \t]*\w*\(([^()]*)\)|[{ ]\|([^|\n]*)\||\bas[ \t]+(\w+)/gm;

/** The names that a test gives to things itself: variables, parameters, what it loops over. */
export function localNames(code: string): Set<string> {
  const assigned = Array.from(code.matchAll(ASSIGNMENT)).flatMap(([, name = '', value = '']) =>
    value.endsWith(',') ? [] : [name],
  );
  const bound = Array.from(code.matchAll(BOUND)).flatMap(
    (match) =>
      match
        .slice(1)
        .join(' ')
        .match(/[A-Za-z_$][\w$]*/g) ?? [],
  );
  return new Set([...assigned, ...bound]);
}

const MAX_CODE_LENGTH = 30_000; // characters: each name is looked for in all of them

/** The local constants of a test: set to a literal, and used nowhere but in `checked`. */
export function localConstants(code: string, checked: readonly string[]): Map<string, string> {
  if (code.length > MAX_CODE_LENGTH) return new Map();
  const rest = checked.reduce((left, text) => left.replace(text, ' '), code);
  const isUsedOnce = (name: string) => rest.match(new RegExp(`(?<![\\w$])${name}(?![\\w$])`, 'g'))?.length === 1;
  return new Map([...localValues(rest)].filter(([name, value]) => SCALAR.test(value) && isUsedOnce(name)));
}

/** A check with the constants of its test in the place of their names. */
export function withConstants(text: string, constants: ReadonlyMap<string, string>): string {
  if (constants.size === 0) return text;
  return text.replaceAll(/(?<![\w$."'])[A-Za-z_]\w*(?![\w$("'])/g, (name) => constants.get(name) ?? name);
}

/** The names in a check, and those by which the names of its test are set: `assert parts` is about `parts = split(3)`. */
export function namesBehind(code: string, values: ReadonlyMap<string, string>): Set<string> {
  const names = namesOf(code);
  return new Set([...names, ...[...names].flatMap((name) => [...namesOf(values.get(name) ?? '')])]);
}
