import { splitArguments, splitOutside, withoutBrackets } from './split-arguments.ts';

const OTHER =
  /win32|win64|windows|\b(?:is_?)?win\b|\bnt\b|mswin|mingw|cygwin|msys|darwin|mac_?os|is_?mac\b|\bmac\b|\bosx\b|bsd\b|android|\bios\b|solaris|illumos|plan9|haiku|wasm|emscripten|miri|pypy|jython/i;
/** Cargo compiles the tests with `test`. */
const HERE = /linux|unix|posix|^test$/i;
const NEGATED = /!==?|~=|\b(?:is\s+not|not\s+in|isnt|ne)\b/;

const MAX_CONDITION_LENGTH = 500; // characters: a longer condition is not about systems

/**
 * Whether a condition about systems holds on Linux, where this service runs the tests: `process.platform !== 'win32'` does,
 * `cfg(windows)` does not. Null for one about anything else, such as a version.
 */
export function holdsOnLinux(condition: string): boolean | null {
  return condition.length > MAX_CONDITION_LENGTH ? null : truthOf(condition.trim());
}

function truthOf(text: string): boolean | null {
  const group = withoutBrackets(text);
  if (group !== null) return truthOf(group.trim());
  const alternatives = splitOutside(text, /\|\||\bor\b/);
  if (alternatives.length > 1) return anyOf(alternatives);
  const parts = splitOutside(text, /&&|\band\b/);
  if (parts.length > 1) return allOf(parts);
  const [, word, inner = ''] = /^(all|any|not)\s*\(([\s\S]*)\)$/.exec(text) ?? [];
  if (word === 'all') return allOf(splitArguments(inner));
  if (word === 'any') return anyOf(splitArguments(inner));
  const other = word === 'not' ? inner : /^(?:!(?!=)|not\s)\s*([\s\S]+)$/.exec(text)?.[1];
  if (other !== undefined) return negated(truthOf(other.trim()));
  if (HERE.test(text)) return !NEGATED.test(text);
  return OTHER.test(text) ? NEGATED.test(text) : null;
}

function negated(value: boolean | null): boolean | null {
  return value === null ? null : !value;
}

function anyOf(parts: readonly string[]): boolean | null {
  const values = parts.map((part) => truthOf(part.trim()));
  return values.includes(true) ? true : values.includes(null) ? null : false;
}

function allOf(parts: readonly string[]): boolean | null {
  const values = parts.map((part) => truthOf(part.trim()));
  return values.includes(false) ? false : values.includes(null) ? null : true;
}
