/** The arguments of a call, up to its closing bracket. A comma in a text or in a bracket separates nothing. */
export function splitArguments(args: string): string[] {
  return splitOutside(args, /,/);
}

/** The parts between the separators that stand in no text and in no bracket, up to a bracket that was not opened. */
export function splitOutside(text: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  const pieces = new RegExp(`${QUOTED}|[()[\\]{}]|(?<separator>${separator.source})`, 'g');
  for (const { index, 0: piece, groups } of text.matchAll(pieces)) {
    if ('([{'.includes(piece)) depth += 1;
    else if (')]}'.includes(piece)) depth -= 1;
    if (depth < 0) return [...parts, text.slice(from, index)];
    if (depth === 0 && groups?.separator !== undefined) {
      parts.push(text.slice(from, index));
      from = index + piece.length;
    }
  }
  return [...parts, text.slice(from)];
}

const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/.source;

/** What stands between round brackets that hold the whole text; null where there are none. */
export function withoutBrackets(text: string): string | null {
  const inner = /^\s*\(([\s\S]*)\)\s*$/.exec(text)?.[1];
  if (inner === undefined) return null;
  let depth = 0;
  for (const [piece] of inner.matchAll(BRACKETS)) {
    if (piece === '(') depth += 1;
    else if (piece === ')') depth -= 1;
    if (depth < 0) return null;
  }
  return inner;
}

const BRACKETS = new RegExp(`${QUOTED}|[()]`, 'g');

/** `assert.ok(true)`, `expect(1).toBe(1)`, `assert x == x`: it holds whatever the program does. */
export function isConstant(text: string, condition: string | null): boolean {
  if (condition !== null && /(?:\bor\s+True|\|\|\s*true)\s*$/.test(condition)) return true;
  const subject = condition === null ? SUBJECT_FIRST.exec(text)?.[1] : undefined;
  if (subject !== undefined && !LITERAL.test(subject.replace(/^(?:_|value|expect)\s*\(([\s\S]*)\)$/, '$1').trim()))
    return false;
  const values = condition === null ? valuesIn(text) : condition.split(/\s*(?:===?|!==?|\bis\b)\s*/);
  const plain = values.map((value) => value.trim()).filter((value) => value !== '');
  if (plain.length === 0) return false;
  if (plain.every((value) => LITERAL.test(value))) return true;
  return plain.length === 2 && plain[0] === plain[1] && /^[\w.]+$/.test(plain[0] ?? '');
}

/** What is checked comes before the check: `x.must_equal 1`, `x.should.equal(1)`. */
const SUBJECT_FIRST = /^([\s\S]*?)\.(?:should|must|wont)(?:_\w+)?\b/;

const LITERAL =
  /^(?:-?[\d_.]+(?:e-?\d+)?[a-z]?\d*|true|false|True|False|null|nil|None|undefined|"[^"]*"|'[^']*'|`[^`$]*`|\[\]|\{\}|!0|!1|\(\)|Some\(\d+\))$/;

/** The arguments of a call and of its matchers, in order: `expect(a).toBe(b)` has two. */
function valuesIn(text: string): string[] {
  const bare = /^\w+[!?]?[ \t]+(?![([.])([\s\S]*)$/.exec(text); // Ruby's `assert_equal 1, 1`
  if (bare !== null) return splitArguments(bare[1] ?? '').map((part) => part.trim());
  const open = text.indexOf('(');
  if (open === -1) return [];
  const chain = text
    .slice(open)
    .replace(/\)(?:\s*\.\w+)+$/, ')')
    .replaceAll(/\)\s*\.(?:(?:\w+\.)*|(?:to|not_to)\s+)\w+\s*\(/g, '),(')
    .replace(/\)\s*\.(?:to|not_to)\s+\w+\s+(\S+)$/, '),($1)');
  return splitArguments(chain)
    .flatMap((part) => splitArguments(part.trim().replace(/^\(([\s\S]*)\)$/, '$1')))
    .map((part) => part.trim())
    .filter((part) => !/^(?:t|self)$/.test(part));
}
