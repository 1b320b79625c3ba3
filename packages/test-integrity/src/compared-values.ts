import { splitArguments, splitOutside, withoutBrackets } from './split-arguments.ts';

/** The values that a check compares, in source order: both sides of a condition, the arguments of a call. */
export function comparedValues(text: string, condition: string | null): string[] {
  const values =
    condition === null ? argumentsIn(text) : splitOutside(withoutBrackets(condition) ?? condition, /===?|!==?|\bis\b/);
  return values.map((value) => value.trim()).filter((value) => value !== '');
}

/** `assert.ok(true)`, `expect(1).toBe(1)`, `assert x == x`: it holds whatever the program does. */
export function isConstant(text: string, condition: string | null): boolean {
  if (condition === null && saysNothing(text)) return true;
  if (condition !== null && splitArguments(withoutBrackets(condition) ?? '').length > 1) return true; // a tuple of Python
  if (condition !== null && /(?:\bor\s+True|\|\|\s*true)\s*$/.test(condition)) return true;
  const subject = condition === null ? SUBJECT_FIRST.exec(text)?.[1] : undefined;
  if (subject !== undefined && !LITERAL.test(subject.replace(/^(?:_|value|expect)\s*\(([\s\S]*)\)$/, '$1').trim()))
    return false;
  if (BLOCK.test(text) || OWN_HELPER.test(text)) return false;
  const values = comparedValues(text, condition);
  if (values.length === 0) return false;
  if (values.every((value) => LITERAL.test(value))) return true;
  return values.length === 2 && values[0] === values[1] && /^[\w.]+$/.test(values[0] ?? '');
}

/** Whether a value is given to a check of which the matcher is missing, or is not called: `expect(x).to.be`, `assertThat(x)`. */
function saysNothing(text: string): boolean {
  const subject = UNFINISHED.exec(text)?.[1];
  if (subject === undefined || splitArguments(subject).length !== 1 || splitArguments(subject)[0] !== subject)
    return false;
  return subject.trim() !== '';
}

const UNFINISHED =
  /^(?:expect|Expect|assertThat|assertWithMessage|expectThat)(?:<[\w.]+>)?\(([\s\S]*)\)(?:(?:\s*\.\s*(?:to|be|been|have|has|is|not|deep|and|with|that|which|at|of|same|but|does|still|also|resolves|rejects|as|To|equals?|eql|toBe\w*|toEqual|toStrictEqual|toMatch\w*|toContain\w*|toHave\w*|toThrow\w*|instanceOf|includes?|contains?|property|lengthOf|throws?|above|below|least|most|a|an))*)\s*;?\s*$/;

/** A project's own check, whose arguments go to the program: `self.assert_error("x", 2)`, `expectError('x', 2)`. */
export const OWN_HELPER =
  /^self\.(?:check|expect|verify|(?:assert|check|expect|verify)_[a-z]\w*)\(|^(?:self\.|this\.)?(?:assert|check|verify|must)(?!Equal|Not|True|Throw|Does|Fail|All|Timeout|Raise|Count|Dict|List|Tuple|Set|Seq|Multi|Regex|Match|Almost|Log|Warn|No[A-Z]|False|Null|Nil|Same|That|Is|Array|Iterable|Lines|Contains|Content|In\b|Greater|Less|Instance|Empty|Strict)[A-Z]\w*\(|^expect(?!Type|That)[A-Z_]\w*\(/;

/** A block that must fail, which is not a value: `assertFailsWith<X> { parse("") }`. */
const BLOCK = /^\w+(?:<[\w.]+>)?\s*\{/;

/** A subject before its check: `x.must_equal 1`, `x.should.equal(1)`. */
const SUBJECT_FIRST = /^([\s\S]*?)(?:\.(?:should|must|wont)(?:_\w+)?\b|[ \t.]should[A-Z]\w*)/;

const LITERAL =
  /^(?:-?[\d_.]+(?:e-?\d+)?[a-z]?\d*|true|false|True|False|null|nil|None|undefined|"[^"]*"|'[^']*'|`[^`$]*`|\[\]|\{\}|!0|!1|\(\)|Some\(\d+\))$/;

/** `x shouldBe 1` and `x.shouldBe(1)`, of Kotest. */
const INFIX = /^([\s\S]+?)(?:[ \t]+|\.)should[A-Z]\w*[ \t]*(?:\(([\s\S]*)\))?([\s\S]*)$/;

/** The arguments of a call and of its matchers, in order: `expect(a).toBe(b)` has two. */
function argumentsIn(text: string): string[] {
  const bare = /^\w+[!?]?[ \t]+(?![(.]|should[A-Z])([\s\S]*)$/.exec(text); // Ruby's `assert_equal 1, 1`
  if (bare !== null) return splitArguments(bare[1] ?? '').map((part) => part.trim());
  const [, subject, inBrackets, bareValue = ''] = INFIX.exec(text) ?? [];
  if (subject !== undefined) return [subject, inBrackets ?? bareValue];
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
