import { type CodeText, lexes, readCode } from './code-text.ts';
import { type FoundTest, MAX_TESTS, nestTests, WHOLE } from './nest-tests.ts';
import { skipIf, skipUnless } from './skip-condition.ts';
import { splitArguments } from './split-arguments.ts';
import type { TestCase } from './test-case.ts';

const ITEM = /((?:#\[[^\]]{0,300}\]\s{0,200}){1,20})(?:pub(?:\([a-z ]*\))?\s+)?(?:async\s+)?(?:fn|mod)\s+(\w+)/g;
const IS_TEST = /#\[\s*(?:\w+::)*(?:test|rstest|test_case|quickcheck|test_log)\b/;

/** The tests of `cargo test`. A module that is compiled under a condition is a group. */
export function rustTests(path: string, source: string): TestCase[] {
  const text = readCode(source, lexes.rust);
  const found = Array.from(text.bare.matchAll(ITEM).take(MAX_TESTS)).flatMap(
    ({ index, 0: head, 1: bareMarks = '', 2: title = '' }) => {
      const marks = text.code.slice(index, index + bareMarks.length);
      const isModule = /\bmod\s+\w+$/.test(head);
      if (!(isModule ? /#\[cfg\(/ : IS_TEST).test(marks)) return [];
      return inBraces(text, { title, from: index, at: index + head.length, marks, isModule });
    },
  );
  const whole = /^#!\[cfg\((?!test\))/m.exec(text.bare);
  const file: FoundTest[] = [];
  if (whole !== null) {
    const skip = skipUnless(
      splitArguments(text.code.slice(whole.index + whole[0].length, whole.index + MAX_ATTRIBUTE_LENGTH))[0] ?? '',
    );
    file.push({ title: WHOLE, from: whole.index, to: whole.index, isGroup: true, isFocused: false, skip });
  }
  return nestTests([...file, ...found], { path, text, language: 'rust' });
}

interface Item {
  readonly title: string;
  readonly from: number;
  readonly at: number;
  readonly marks: string;
  readonly isModule: boolean;
}

function inBraces({ bare, partner }: CodeText, { title, from, at, marks, isModule }: Item): FoundTest[] {
  const open = bare.indexOf('{', at);
  const close = partner.get(open);
  if (close === undefined) return [];
  return [{ title, from, to: close + 1, isGroup: isModule, isFocused: false, skip: skipOf(marks) }];
}

function skipOf(marks: string): FoundTest['skip'] {
  if (/#\[\s*ignore\b/.test(marks) || /#\[cfg\(\s*(?:any\(\s*\)|FALSE|never)\s*\)\]/i.test(marks)) return 'always';
  const conditions = Array.from(marks.matchAll(CONDITIONAL), ({ index, 0: head, 1: isAttribute }) => {
    const args = splitArguments(marks.slice(index + head.length, index + MAX_ATTRIBUTE_LENGTH));
    if (isAttribute === undefined) return skipUnless(args[0] ?? '');
    return args.some((one) => /^\s*ignore\b/.test(one)) ? skipIf(args[0] ?? '') : null;
  });
  return conditions.find((skip) => skip === 'conditional') ?? conditions.find((skip) => skip !== null) ?? null;
}

const MAX_ATTRIBUTE_LENGTH = 500; // characters of an attribute
const CONDITIONAL = /#\[cfg(_attr)?\((?!\s*test\s*\))/g;
