import { type CodeText, lexes, readCode } from './code-text.ts';
import { type FoundTest, MAX_TESTS, nestTests } from './nest-tests.ts';
import { skipIf, skipUnless } from './skip-condition.ts';
import { splitArguments } from './split-arguments.ts';
import type { TestCase } from './test-case.ts';

const MARK =
  /@(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property|Theory)\b|\bpublic\s+void\s+(?=test\w*\s*\()/g;
const CLASS = /\bclass\s+(\w+)[^{;\n]*\{/g;

/** The tests of JUnit, TestNG, Kotest and Kotlin's test library. */
export function jvmTests(path: string, source: string): TestCase[] {
  const text = readCode(source, lexes.jvm);
  const methods = Array.from(text.bare.matchAll(MARK).take(MAX_TESTS)).flatMap(({ index }) => readMethod(text, index));
  const classes = Array.from(text.bare.matchAll(CLASS).take(MAX_TESTS)).flatMap(
    ({ index, 0: head, 1: title = '' }): FoundTest[] => {
      const close = text.partner.get(index + head.length - 1);
      if (close === undefined) return [];
      const from = marksStart(text.bare, index);
      return [
        { title, from, to: close + 1, isGroup: true, isFocused: false, skip: skipOf(text.code.slice(from, index)) },
      ];
    },
  );
  const unique = new Map(methods.map((method) => [method.from, method]));
  return nestTests([...classes, ...unique.values(), ...kotestTests(text)], { path, text, language: 'jvm' });
}

const HEADER = /\s*(?:@(?:file:)?[\w.]+\s*(\()?|([\w$.<>[\],?]+|`[^`\n]*`)\s*(\()?)/y;

/** Walks over annotations and modifiers to the first name that has arguments: that of the method. */
function readMethod({ bare, code, partner, source }: CodeText, index: number): FoundTest[] {
  let at = index;
  for (let step = 0; step < 30; step += 1) {
    HEADER.lastIndex = at;
    const found = HEADER.exec(bare);
    if (found === null) return [];
    at += found[0].length;
    const close = found[1] === undefined && found[3] === undefined ? undefined : partner.get(at - 1);
    if (found[3] !== undefined && found[2] !== undefined) {
      const open = bare.indexOf('{', close ?? at);
      const end = partner.get(open);
      if (end === undefined) return [];
      const from = marksStart(bare, index);
      const title = source.slice(at - 1 - found[2].length, at - 1).trim();
      return [
        {
          title,
          from,
          to: end + 1,
          isGroup: false,
          isFocused: false,
          // No runner of the JVM calls a function that may be suspended.
          isHidden: /\b(?:private|suspend)\s/.test(bare.slice(index, at)),
          skip: skipOf(code.slice(from, at)) ?? bodySkip(code.slice(open, end)),
        },
      ];
    }
    if (close !== undefined) at = close + 1;
  }
  return [];
}

/** Where the lines of annotations above begin. */
function marksStart(bare: string, index: number): number {
  let start = bare.lastIndexOf('\n', index - 1) + 1;
  while (start > 0) {
    const above = bare.lastIndexOf('\n', start - 2) + 1;
    if (!/^\s*@/.test(bare.slice(above, start))) break;
    start = above;
  }
  return start;
}

function bodySkip(body: string): FoundTest['skip'] {
  if (/\bassumeTrue\(\s*false\b|\bassumeFalse\(\s*true\b|\bAssumptions\.abort\(/.test(body)) return 'always';
  const assumed = /\bassume(?:(True|False)|That|ingThat)?\(|\bnew SkipException\(/.exec(body);
  if (assumed === null) return null;
  const { index, 0: head, 1: which } = assumed;
  // JUnit 4 has a message before the condition.
  const args = splitArguments(body.slice(index + head.length, index + MAX_CONDITION_LENGTH)).map((part) => part.trim());
  const condition = args.find((part) => !part.startsWith('"')) ?? '';
  if (which === 'True') return skipUnless(condition);
  return which === 'False' ? skipIf(condition) : 'conditional';
}

const MAX_CONDITION_LENGTH = 500; // characters of a condition

const CONDITIONAL = /@(?:[\w.]+\.)?(Disabled|Enabled)(?:On|If|For)\w*(?:\(([^)]*)\))?/g;

function skipOf(marks: string): FoundTest['skip'] {
  if (/@(?:[\w.]+\.)?(?:Disabled|Ignore)\b(?!On|If|For)|\benabled\s*=\s*false/.test(marks)) return 'always';
  const conditions = Array.from(marks.matchAll(CONDITIONAL), ([, which, condition = '']) => {
    const systems = condition.replaceAll(/[{}]|\bvalue\s*=/g, '');
    return which === 'Enabled' ? skipUnless(systems) : skipIf(systems);
  });
  return conditions.find((skip) => skip === 'conditional') ?? conditions[0] ?? null;
}

const SPEC = /:\s*(?:\w+\.)*(?:String|Fun|Should|Describe|Behavior|Word|Free|Feature|Expect)Spec\s*\(/;

/** `test("adds up") {`, `"adds up" {`, `"a list" - {`, `"a list" should {`, with an `x` before what is skipped. */
const CALL =
  /(?:\b(x?)(test|it|should|expect|[tT]hen|scenario|describe|context|[gG]iven|[wW]hen|[aA]nd|feature)`?\s*\(\s*)?"([^"\n]*)"\s*\)?(?:\s*\.config\(([^()]*)\))?\s*(-|should|[wW]hen)?\s*\{/g;
const GROUP = /^(?:describe|context|given|when|and|feature)$/i;

/** The tests of Kotest, which are calls with a title: none in a source without one of its specifications. */
function kotestTests({ bare, source, partner }: CodeText): FoundTest[] {
  if (!SPEC.test(bare)) return [];
  return Array.from(bare.matchAll(CALL).take(MAX_TESTS)).flatMap((match): FoundTest[] => {
    const { index, 0: head, 1: mark = '', 2: word = '', 3: blank = '', 4: config = '', 5: suffix } = match;
    const close = partner.get(index + head.length - 1);
    if (close === undefined) return [];
    const from = index + head.indexOf('"') + 1;
    const title = source.slice(from, from + blank.length);
    return [
      {
        title: title.replace(/^(?:!|f:)/, ''),
        from: index,
        to: close + 1,
        isGroup: GROUP.test(word) || suffix !== undefined,
        isFocused: title.startsWith('f:'),
        skip: mark === 'x' || title.startsWith('!') || /\benabled\s*=\s*false\b/.test(config) ? 'always' : null,
      },
    ];
  });
}
