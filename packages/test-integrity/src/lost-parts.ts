import type { Assertion } from './assertions.ts';
import { localValues } from './local-values.ts';
import { splitOutside, withoutBrackets } from './split-arguments.ts';
import type { TestCase } from './test-case.ts';
import { literalsOf, namesOf, plainCode, tokensOf } from './tokens.ts';

/**
 * Whether a condition asks for less: one of the parts that must all hold is gone, or there is another way to hold. Null where
 * its parts say nothing about that.
 *
 * @param others the words and values of the other new checks, which may have taken a part over
 */
export function losesCondition(from: Assertion, to: Assertion, others: ReadonlySet<string>): boolean | null {
  // The condition of Go's `if … { t.Error() }` says when the test fails.
  const isFailure = FAILS_IF.test(from.text) && FAILS_IF.test(to.text);
  const [must, may] = isFailure ? [OR, AND] : [AND, OR];
  const [needs, needed] = [partsOf(to.code, must), partsOf(from.code, must)];
  if (needs.length < needed.length && needs.every((part) => needed.includes(part))) {
    const lost = needed.filter((part) => !needs.includes(part) && !isImplied(part, needs));
    return lost.some((part) => !tokensOf(part).isSubsetOf(others));
  }
  const [ways, had] = [partsOf(to.code, may), partsOf(from.code, may)];
  const isSameForm = FAILS_IF.test(from.text) === FAILS_IF.test(to.text);
  if (isSameForm && needed.length > 1 && needs.length === 1 && had.length === 1 && ways.length === needed.length)
    return true;
  if (ways.length > had.length && had.every((way) => ways.includes(way))) return true;
  // In another form one of the parts may be said, and the other by no check.
  const parts = partsThatMustHold(from.code, from.text);
  if (parts.length < 2 || partsThatMustHold(to.code, to.text).length > 1) return null;
  if (/^if\b/.test(to.text)) return null;
  const keptWords = plainWords(to.code);
  const isKept = parts.some((part) => literalsOf(part).size > 0 && wordsOfPart(part).isSubsetOf(keptWords));
  const left = new Set([...keptWords, ...plainWords([...others].join(' '))]);
  return isKept && parts.some((part) => !literalsOf(part).isSubsetOf(left)) ? true : null;
}

/** What a part of a condition says, in whatever form. */
export const wordsOfPart = (part: string) =>
  new Set([...plainWords(part)].filter((token) => token !== '' && !OF_LIBRARIES.test(token)));

/** Names and values, without the signs around texts, which differ. */
export const plainWords = (code: string) => new Set([...namesOf(code), ...literalsOf(code)]);

const OF_LIBRARIES =
  /^(?:0|errors|reflect|strings|bytes|slices|maps|cmp|Is|As|Equal|DeepEqual|Contains|Diff|len|nil|null|None|undefined|true|false|True|False|not|is|isEqual|equals|Objects|Arrays)$/;

/** The parts of a condition that must all hold; of Go's `if … { t.Error() }` those by which the test fails. */
export function partsThatMustHold(code: string, text: string): string[] {
  return partsOf(code, FAILS_IF.test(text) ? OR : AND);
}

/** Whether a condition holds in more than one way. */
export function isAlternative({ code, text }: Assertion): boolean {
  return partsOf(code, FAILS_IF.test(text) ? AND : OR).length > 1;
}

/** Whether a null check is redundant next to an equality check: `x != nil && x.id == 3` and `x.id == 3`. */
function isImplied(part: string, others: readonly string[]): boolean {
  const subject = /^([\w.[\]]+) ?(?:[!=]==?|is not|is) ?(?:nil|null|None|undefined)$/.exec(part)?.[1];
  return subject !== undefined && others.some((other) => other.includes(subject));
}

/** The condition says when the test fails. */
const FAILS_IF = /^(?:if\b|(?:\w+\.)*(?:assert_?[fF]alse|False|refute)\b)/;
const AND = /&&|\band\b/;
const OR = /\|\||\bor\b/;

function partsOf(condition: string, separator: RegExp): string[] {
  const last = splitOutside(condition, /;/).at(-1) ?? '';
  return splitOutside(withoutBrackets(last) ?? last, separator).map(plainCode);
}

/** Whether one of the calls in a row is gone that said more: `.hasMessage("x")`, `.with('a')`, `.once`. */
export function losesLink(from: Assertion, to: Assertion): boolean {
  const [had, has] = [linksOf(from.text), linksOf(to.text)];
  if (has.length >= had.length || has.some((link) => !had.includes(link))) return false;
  return had.some((link) => !has.includes(link) && SAYS_MORE.test(link));
}

/** Matchers that ask for a part of an object: a field less is less. */
const ASKS_FOR_FIELDS =
  /\b(?:toMatchObject|objectContaining|hash_including|have_attributes|a_hash_including|containsEntry|containsAllEntriesOf|partialDeepStrictEqual|containSubset|assertDictContainsSubset)\b/;

/**
 * Whether a check asks for fewer fields of an object than before, and for nothing new: some of those that a matcher asked for,
 * or one or more of an object that was compared as a whole.
 *
 * @param others the words and values of the other new checks, which may have taken a field over
 */
export function losesField(from: Assertion, to: Assertion, others: ReadonlySet<string>): boolean {
  const isPartial = ASKS_FOR_FIELDS.test(to.text);
  const had = plainWords(from.code);
  const [has, elsewhere] = [plainWords(to.code), plainWords([...others].join(' '))];
  if (isPartial && ASKS_FOR_FIELDS.test(from.text)) {
    if (has.size >= had.size || !has.isSubsetOf(had)) return false;
    return fieldsIn(from.code).some((field) => !has.has(field) && !elsewhere.has(field));
  }
  const fields = wholeObjects(from).flatMap(fieldsIn);
  if (fields.length < 2 || (!isPartial && wholeObjects(to).length > 0)) return false;
  const isKept = fields.some((field) => has.has(field));
  return isKept && fields.some((field) => !has.has(field) && !elsewhere.has(field));
}

function fieldsIn(code: string): string[] {
  return Array.from(code.matchAll(FIELD), ([, field = '']) => field);
}

const FIELD = /(?:^|[{,(])\s*["']?(\w+)["']?(?:\s*(?::(?!:)|=>|=(?![=>]))|(?=\s*[,}]))/g;

/** Objects that are compared with all of their fields: `{ code: 1 }`, `Result{Code: 1}`, `Result(code=1)`, `code: 1`. */
function wholeObjects({ values }: Assertion): string[] {
  return values.filter((value) => WHOLE_OBJECT.test(value));
}

const WHOLE_OBJECT = /^(?:&?(?:[\w.]+\s*)?\{\s*["']?\w+["']?\s*[:,}=]|[A-Z]\w*\(\s*\w+\s*=(?!=)|\w+:\s)/;

const SAYS_MORE = /[("'][^)]*["'\d:]|^(?:once|twice|thrice|exactly|times)\b/;

function linksOf(text: string): string[] {
  return splitOutside(text.replace(/;$/, ''), /\.(?=[A-Za-z_])/).map(plainCode);
}

/** Whether both sides come from the same call of the program: what it gives is what it gives. */
export function comparesWithItself({ values }: Assertion, test: TestCase): boolean {
  const [left, right, ...more] = values.filter((value) => value !== '()');
  if (left === undefined || right === undefined || more.length > 0) return false;
  const known = localValues(test.code);
  const [a, b] = [left, right].map((value) => plainCode(asText(known.get(value) ?? setBefore(value))));
  return a === b && a !== undefined && a.includes('(');
}

/** What Go sets before it compares: `x := f(); x` is `f()`. */
const setBefore = (value: string) => /^(\w+) :?= ([^;]*); \1$/.exec(value)?.[2] ?? value;

/** A value without what makes a text or a copy of it: `format!("{}", x)`, `x.to_string()`, `str(x)` are `x`. */
function asText(value: string): string {
  const inner =
    /^(?:format!\(\s*"\{[:#?]*\}"\s*,|fmt\.Sprint(?:f\(\s*"%[+#]?[vsdq]"\s*,|\()|(?:String|str|repr|list|tuple|structuredClone|copy\.(?:deep)?copy)\()([\s\S]*)\)$/.exec(
      value,
    )?.[1] ?? /^(?:`\$\{|f["']\{|"#\{|"\$\{|\[\.\.\.)([\s\S]*)(?:\}`|\}["']|\])$/.exec(value)?.[1];
  return (inner ?? value).trim().replace(/\.(?:to_string|toString|String|to_s|clone|to_owned|copy|dup)(?:\(\))?$/, '');
}
