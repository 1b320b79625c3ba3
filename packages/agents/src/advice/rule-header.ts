/*
 * Cursor's headers look like YAML and are none (`globs: *.ts, *.tsx`), so a parser of YAML refuses them. These lines are all
 * that the tools document.
 */

/** What a file of rules says at its top of when it applies. */
interface RuleHeader {
  /** The files that it is about; null where it names none. */
  readonly globs: readonly string[] | null;
  readonly isForAll: boolean;
  readonly description: string | null;
  /** The lines that the header takes. */
  readonly lines: number;
}

const MAX_LINES = 100;
const MAX_LINE = 4_000; // characters
const MAX_GLOBS = 100;
const MAX_DESCRIPTION = 150; // characters
const KEY = /^([A-Za-z][\w-]*):(.*)$/;
const GLOB_KEYS = ['applyto', 'globs'];

/** The header between two lines of dashes; null where there is none. One that is too long or does not end is none. */
export function readRuleHeader(text: string): RuleHeader | null {
  if (!/^---[ \t]*\n/.test(text)) return null;
  const lines: string[] = [];
  for (let at = text.indexOf('\n') + 1; ; ) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end < 0 ? text.length : end).trimEnd();
    if (line === '---') break;
    if (end < 0 || lines.length >= MAX_LINES || line.length > MAX_LINE) return null;
    lines.push(line);
    at = end + 1;
  }
  const values = valuesOf(lines);
  const globs = GLOB_KEYS.flatMap((key) => values.get(key) ?? []).flatMap(listIn);
  const [description = ''] = (values.get('description') ?? []).map(unquoted);
  return {
    globs: globs.length === 0 ? null : globs.slice(0, MAX_GLOBS),
    isForAll: (values.get('alwaysapply') ?? []).some((value) => unquoted(value).toLowerCase() === 'true'),
    description: description === '' ? null : description.slice(0, MAX_DESCRIPTION).toWellFormed(),
    lines: lines.length + 2,
  };
}

/** The values of each key, in lower case; a list below a key gives one for each item. */
function valuesOf(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  let last: string[] = [];
  for (const line of lines) {
    const [, key, value = ''] = KEY.exec(line) ?? [];
    if (key !== undefined) {
      last = [value.trim()].filter((one) => one !== '');
      values.set(key.toLowerCase(), last);
    } else if (/^\s*- /.test(line)) last.push(line.replace(/^\s*- /, '').trim());
  }
  return values;
}

/** The globs of a value: commas separate them, but not within braces. */
function listIn(value: string): string[] {
  const bare = value.startsWith('[') && value.endsWith(']') ? value.slice(1, -1) : unquoted(value);
  const items = [''];
  let depth = 0;
  for (const character of bare) {
    if (character === '{') depth += 1;
    if (character === '}') depth = Math.max(0, depth - 1);
    if (character === ',' && depth === 0) items.push('');
    else items[items.length - 1] += character;
  }
  return items.map((item) => unquoted(item.trim())).filter((item) => item !== '');
}

function unquoted(value: string): string {
  return /^(["'])(.*)\1$/.exec(value)?.[2]?.trim() ?? value;
}
