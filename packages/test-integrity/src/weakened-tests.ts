import type { Finding } from '@sluice/core/change';
import { type Assertion, assertionsOf } from './assertions.ts';
import type { ComparedTests } from './compared-tests.ts';
import { isCovered, isOfGoneDouble, isSplit } from './covered-assertion.ts';
import { isExit } from './early-exits.ts';
import { failedValue } from './failed-values.ts';
import { jumpedClock } from './jumped-clock.ts';
import { localValues } from './local-values.ts';
import { EXPECTS_ERROR, isLooser, type Judged } from './looser-assertion.ts';
import { type AssertionPair, pairAssertions } from './pair-assertions.ts';
import { callsOf } from './program-calls.ts';
import type { ProgramText } from './program-text.ts';
import { swallowsErrors } from './swallowed-errors.ts';
import type { TestCase } from './test-case.ts';
import { literalsOf, namesOf, plainCode } from './tokens.ts';
import { unreachedChecks } from './unreached-checks.ts';

/** Tests that check less than before: fewer assertions, looser ones, errors swallowed. One finding for each test. */
export function weakenedTests({ kept, added }: ComparedTests, program: ProgramText): Finding[] {
  const addedIn = Map.groupBy(added, ({ path }) => path);
  const elsewhere = new Set([...added.flatMap(textsOf), ...kept.flatMap(newTexts)]);
  return kept.flatMap(({ before, after }): Finding[] => {
    if (after.isGroup || after.skip === 'always' || isSameCode(before, after)) return [];
    const isSwallowed = swallowsErrors(after) && !swallowsErrors(before);
    const mustFail = expectsToFail(after) && !expectsToFail(before) && keepsChecks(before, after);
    const whole = withNewParts({ before, after }, addedIn.get(after.path) ?? [], program.newRows(after));
    const how = isSwallowed
      ? 'swallows the errors of its assertions'
      : mustFail
        ? 'is to fail now, with the same assertions'
        : losesOrder(before, after, program)
          ? 'no longer checks the order of its values'
          : (cutOff(before, after) ??
            unreachedChecks(before, after) ??
            beyondLimit(before, after, program) ??
            weakness({ before, after: whole }, elsewhere, program));
    if (how === null) return [];
    return [
      { kind: 'assertion_weakened', path: after.path, line: after.line, detail: `The test "${after.name}" ${how}.` },
    ];
  });
}

function beyondLimit(before: TestCase, after: TestCase, program: ProgramText): string | null {
  const far = jumpedClock(before, after, program);
  return far === null ? null : `goes far beyond the limit that it checked: \`${far}\``;
}

/** In Python the indentation says what is inside of what. */
function isSameCode(before: TestCase, after: TestCase): boolean {
  if (after.language === 'python') return before.code === after.code;
  return plainCode(before.code) === plainCode(after.code);
}

/** `#[should_panic]`, `@Test(expected = …)`: the test passes if it fails. */
function expectsToFail({ code, language }: TestCase): boolean {
  if (language === 'rust') return /#\[\s*should_panic\b/.test(code);
  return language === 'jvm' && /@Test\s*\([^)]*\bexpected\s*=/.test(code);
}

function keepsChecks(before: TestCase, after: TestCase): boolean {
  const now = new Set(textsOf(after));
  return textsOf(before).some((text) => now.has(text));
}

/** The assertions that a test got. Most tests of a file stay as they are. */
function newTexts({ before, after }: KeptTest): string[] {
  if (before.code === after.code) return [];
  const had = new Set(textsOf(before));
  return textsOf(after).filter((text) => !had.has(text));
}

const textsOf = (test: TestCase) => assertionsOf(test).map(({ text }) => plainCode(text));

type KeptTest = ComparedTests['kept'][number];

/** A test with the new tests inside it and the rows beside it, which may have taken its assertions over. */
function withNewParts({ before, after: test }: KeptTest, added: readonly TestCase[], rows: string): TestCase {
  const isRenamed = before.name.split(' > ').at(-1) !== test.name.split(' > ').at(-1);
  // A test under another title may be one of several that it became.
  const parts = isRenamed ? added : test.hasInner ? added.filter(({ name }) => name.startsWith(`${test.name} > `)) : [];
  if (parts.length === 0 && rows === '') return test;
  const all = [test, ...parts, { code: rows, bare: rows.replaceAll(/[^\n]/g, ' ') }];
  return { ...test, code: all.map(({ code }) => code).join('\n'), bare: all.map(({ bare }) => bare).join('\n') };
}

function weakness({ before, after }: KeptTest, elsewhere: ReadonlySet<string>, program: ProgramText): string | null {
  const { old, now, pairs, unpaired, added } = pairAssertions(before, after, elsewhere);
  const looser = pairs.find(
    (pair) => isLooser(pair, { before, after, program, added }) && !isSaidByAnother(pair, { before, added, program }),
  );
  if (looser !== undefined) return `checks less: \`${looser.from.text}\` became \`${looser.to.text}\``;
  const behind = [...pairs.map(({ from }) => from), ...unpaired].find((one) =>
    added.some((other) => isInside(one, other)),
  );
  if (behind !== undefined) return `makes the check \`${behind.text}\` only where an error is expected`;
  const failed = pairs.flatMap(({ from, to }) => expectedFailure(from, to, program.after) ?? []);
  if (failed.length > 0) return `expects \`${failed[0]}\` now, which looks like a mistake of the program`;
  const forgotten = now.find((one) => one.isForgotten && old.some((other) => !other.isForgotten && isSame(one, other)));
  if (forgotten !== undefined) return `no longer waits for \`${forgotten.text}\``;
  const [had, has] = [freeChecks(old), freeChecks(now)];
  const guarded = now.find(
    ({ condition, text }) => condition !== null && (has.get(plainCode(text)) ?? 0) < (had.get(plainCode(text)) ?? 0),
  );
  if (guarded !== undefined) {
    return isExit(guarded.condition)
      ? `returns before it checks \`${guarded.text}\``
      : `checks \`${guarded.text}\` only under a condition: \`${guarded.condition}\``;
  }
  if (old.length <= now.length) return null;
  const dropped = unpaired.filter((one) => !isCovered(one, { before, after, program, added }));
  if (dropped.length === 0) return null;
  return `lost ${dropped.length === 1 ? 'an assertion' : `${dropped.length} assertions`}: \`${dropped[0]?.text}\``;
}

/** `assertThrows(AssertionError.class, () -> assertEquals(3, sum()))`, or a check behind the call that throws. */
function isInside(one: Assertion, other: Assertion): boolean {
  const check = plainCode(one.text);
  const whole = plainCode(other.text);
  return EXPECTS_ERROR.test(other.text) && whole.includes(check) && whole !== check;
}

/** What a check expects in a text now, or as a value of its own, that no one can mean. */
function expectedFailure(from: Assertion, to: Assertion, program: string): string | null {
  const [old, now] = [from, to].map(({ code }) =>
    [...Array.from(literalsOf(code), (text) => `"${text}"`), ...(/\bNaN\b|NaN\(\)|_nan\(/.exec(code) ?? [])].join('\n'),
  );
  return failedValue(old ?? '', now ?? '', program);
}

/** How often each check is made in any case. */
function freeChecks(all: readonly Assertion[]): Map<string, number> {
  const free = all.filter(({ condition }) => condition === null);
  return new Map([...Map.groupBy(free, ({ text }) => plainCode(text))].map(([text, same]) => [text, same.length]));
}

const isSame = (one: Assertion, other: Assertion) => plainCode(one.text) === plainCode(other.text);

const LONG_TEXT = 4; // characters: a shorter value is in many checks by chance

/** The words of an error that went from the check for it to one of their own, a part of a condition, a call of a double. */
function isSaidByAnother(
  { from, to }: AssertionPair,
  { before, added, program }: Pick<Judged, 'before' | 'added' | 'program'>,
): boolean {
  if (isOfGoneDouble(from, { before, added, program }) || isSplit(from, added)) return true;
  const lost = literalsOf(from.code).difference(literalsOf(to.code));
  const others = literalsOf(
    added
      .filter((one) => one !== to && !one.isConstant)
      .map(({ code }) => code)
      .join('\n'),
  );
  return lost.size > 0 && [...lost].every((text) => text.length >= LONG_TEXT && others.has(text));
}

/** How a test was cut off from the program that it called before; null where it was not. */
function cutOff(before: TestCase, after: TestCase): string | null {
  const fixed = fixedValue(before, after);
  return fixed === null ? null : `no longer calls the program: \`${fixed}\` is a fixed value`;
}

const FIXED = /^(?:[[{"'`\d-]|true\b|false\b|True\b|False\b)/;

/** A name that is checked, that a call gave before and a literal gives now, in a test that calls nothing else. */
function fixedValue(before: TestCase, after: TestCase): string | null {
  if (callsOf(after).size > 0 || callsOf(before).size === 0) return null;
  const checked = namesOf(
    assertionsOf(after)
      .map(({ code }) => code)
      .join('\n'),
  );
  const had = localValues(before.code);
  const has = localValues(after.code);
  return (
    [...has].find(
      ([name, value]) => checked.has(name) && FIXED.test(value) && had.get(name)?.includes('(') === true,
    )?.[0] ?? null
  );
}

/** What puts the values of a result in order, or compares them in any order. */
const ANY_ORDER =
  /\bsorted\(|\.(?:to)?[sS]ort(?:ed|By|With|_by(?:_key)?|_unstable\w*)?\b!?(?=\(|\s*[{.,;)\n]|$)|\bsort\.\w+\(|\bslices\.Sort\w*\(|\bset\(|\bnew (?:Hash|Tree)?Set\b|\b(?:assertCountEqual|assertItemsEqual|assertUnorderedEquals|ElementsMatch|arrayContaining|sameMembers|match_array|contain_exactly)\b|\.members\(|InAnyOrder\b|\b(?:Hash|BTree)Set\b|\.to_set\b|\.toSet\(\)/g;

/** What an order comes from in a program. */
const ORDERS = /sort|order|reverse|compar|priorit/gi;
const ABOUT_ORDER = /sort|order|sequence|first|last|newest|oldest|rank|priorit|ascend|descend/i;

/**
 * Whether a test no longer checks the order that the program gives. Where nothing speaks of an order, and the program did not
 * lose one, it may be that there is none to be checked.
 */
function losesOrder(before: TestCase, after: TestCase, program: ProgramText): boolean {
  const had = new Set(before.bare.match(ANY_ORDER));
  // One that was there before may be what is tested.
  if (after.bare.match(ANY_ORDER)?.every((form) => had.has(form)) ?? true) return false;
  return (
    ABOUT_ORDER.test(before.name.split(' > ').at(-1) ?? '') ||
    count(program.after, ORDERS) < count(program.before, ORDERS)
  );
}

function count(code: string, pattern: RegExp): number {
  return code.match(pattern)?.length ?? 0;
}
