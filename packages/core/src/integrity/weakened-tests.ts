import { type Assertion, assertionsOf } from './assertions.ts';
import type { ComparedTests } from './compared-tests.ts';
import { isExit } from './early-exits.ts';
import type { Finding } from './finding.ts';
import { localValues, namesBehind } from './local-values.ts';
import { type AssertionPair, pairAssertions } from './pair-assertions.ts';
import { asksForPart } from './partial-check.ts';
import type { ProgramText } from './program-text.ts';
import { splitArguments } from './split-arguments.ts';
import { swallowsErrors } from './swallowed-errors.ts';
import type { TestCase } from './test-case.ts';
import { literalsOf, namesOf, plainCode, shareIn, tokensOf } from './tokens.ts';
import { usesRemoved } from './uses-removed.ts';
import { isTolerant, isWide, isWidened } from './widened-tolerance.ts';

/** Tests that check less than before: fewer assertions, looser ones, errors swallowed. One finding for each test. */
export function weakenedTests({ kept, added }: ComparedTests, program: ProgramText): Finding[] {
  const addedIn = Map.groupBy(added, ({ path }) => path);
  const elsewhere = new Set([...added.flatMap(textsOf), ...kept.flatMap(newTexts)]);
  return kept.flatMap(({ before, after }): Finding[] => {
    if (after.isGroup || after.skip === 'always' || plainCode(before.code) === plainCode(after.code)) return [];
    const isSwallowed = swallowsErrors(after) && !swallowsErrors(before);
    const whole = withNewParts(after, addedIn.get(after.path) ?? []);
    const how = isSwallowed
      ? 'swallows the errors of its assertions'
      : weakness({ before, after: whole }, elsewhere, program);
    if (how === null) return [];
    return [
      { kind: 'assertion_weakened', path: after.path, line: after.line, detail: `The test "${after.name}" ${how}.` },
    ];
  });
}

/** The assertions that a test got. Most tests of a file stay as they are. */
function newTexts({ before, after }: KeptTest): string[] {
  if (before.code === after.code) return [];
  const had = new Set(textsOf(before));
  return textsOf(after).filter((text) => !had.has(text));
}

const textsOf = (test: TestCase) => assertionsOf(test).map(({ text }) => plainCode(text));

type KeptTest = ComparedTests['kept'][number];

/** A test with the new tests inside it, which may have taken its assertions over. */
function withNewParts(test: TestCase, added: readonly TestCase[]): TestCase {
  const parts = test.hasInner ? added.filter(({ name }) => name.startsWith(`${test.name} > `)) : [];
  if (parts.length === 0) return test;
  const all = [test, ...parts];
  return { ...test, code: all.map(({ code }) => code).join('\n'), bare: all.map(({ bare }) => bare).join('\n') };
}

function weakness({ before, after }: KeptTest, elsewhere: ReadonlySet<string>, program: ProgramText): string | null {
  const { old, now, pairs, unpaired, added } = pairAssertions(before, after, elsewhere);
  const looser = pairs.find((pair) => isLooser(pair, { before, after, program }) && !isSaidByAnother(pair, added));
  if (looser !== undefined) return `checks less: \`${looser.from.text}\` became \`${looser.to.text}\``;
  const forgotten = now.find((one) => one.isForgotten && old.some((other) => !other.isForgotten && isSame(one, other)));
  if (forgotten !== undefined) return `no longer waits for \`${forgotten.text}\``;
  const guarded = now.find(
    (one) => one.condition !== null && old.some((other) => other.condition === null && isSame(one, other)),
  );
  if (guarded !== undefined && now.filter((one) => isSame(one, guarded)).length === 1) {
    return isExit(guarded.condition)
      ? `returns before it checks \`${guarded.text}\``
      : `checks \`${guarded.text}\` only under a condition: \`${guarded.condition}\``;
  }
  if (old.length <= now.length) return null;
  const dropped = unpaired.filter((one) => !isCovered(one, { added, before, after, program }));
  if (dropped.length === 0) return null;
  return `lost ${dropped.length === 1 ? 'an assertion' : `${dropped.length} assertions`}: \`${dropped[0]?.text}\``;
}

/** A check with what the names in it were set to: `assert total == 3` is about `total = cart.total()`. */
function withValuesBehind(code: string, test: string): string {
  const values = localValues(test);
  return [code, ...[...namesOf(code)].map((name) => values.get(name) ?? '')].join('\n');
}

const RELATED = 0.3; // the share of names below which an assertion did not become the other, but gave place to it

const isSame = (one: Assertion, other: Assertion) => plainCode(one.text) === plainCode(other.text);

interface Judged extends KeptTest {
  readonly program: ProgramText;
}

function isLooser({ from, to }: AssertionPair, { before, after, program }: Judged): boolean {
  if (usesRemoved(withValuesBehind(from.code, before.code), program.removed)) return false;
  if (to.isConstant || isWidened(from.code, to.code, program)) return true;
  const names = namesBehind(from.code, localValues(before.code));
  const others = namesBehind(to.code, localValues(after.code));
  if (Math.max(shareIn(others, names), shareIn(names, others)) < RELATED) return false;
  if (isAmongOthers(from, to)) return false;
  if (isTolerant(to.code) && !isTolerant(from.code)) return isWide(from.code, to.code);
  if (hasLostValue(from.code, to.code)) return true;
  if (from.rank === 4 && asksForPart(from.code, to.code)) return true;
  if (to.rank >= from.rank || isSameFact(from.code, to.code)) return false;
  if (from.rank === 4 && to.rank === 3) return shareIn(literalsOf(from.code), literalsOf(to.code)) < 1;
  return true;
}

/** `assert a == 3` became `assert (a, b) == (3, 2)`: the same values at the same place. */
function isAmongOthers(from: Assertion, to: Assertion): boolean {
  const [left, right, ...more] = from.values.map(plainCode);
  const [all = [], wanted = []] = to.values.map(elementsOf);
  return more.length === 0 && all.some((value, at) => value === left && wanted[at] === right);
}

function elementsOf(value: string): string[] {
  const inner = /^[([]([\s\S]*)[)\]]$/.exec(value)?.[1];
  return inner === undefined ? [] : splitArguments(inner).map(plainCode);
}

const LONG_TEXT = 4; // characters: a shorter value is in many checks by chance

/** The words of an error that went from the check for it to one of their own. */
function isSaidByAnother({ from, to }: AssertionPair, added: readonly Assertion[]): boolean {
  const lost = literalsOf(from.code).difference(literalsOf(to.code));
  const others = literalsOf(
    added
      .filter((one) => one !== to && !one.isConstant)
      .map(({ code }) => code)
      .join('\n'),
  );
  return lost.size > 0 && [...lost].every((text) => text.length >= LONG_TEXT && others.has(text));
}

/** `toBe(true)` and `toBeTruthy()`, `equal(x, null)` and `isNull(x)`: a matter of taste. */
function isSameFact(from: string, to: string): boolean {
  const isPlain = /(?:[(,=]|\bis)\s*(?:true|false|null|nil|None|undefined|True|False|\[\]|\{\}|""|''|0)\s*\)?$/.test(
    from.replace(/[);\s]+$/, ''),
  );
  const isGo = /\(\s*[\w.()]+,\s*(?:true|false|nil)\s*,/.test(from);
  return (isPlain || isGo) && !/toBeDefined|\bnot\b|[nN]ot[A-Z_]/.test(to);
}

/** `property('x', 'y')` became `property('x')`. */
function hasLostValue(from: string, to: string): boolean {
  const values = (code: string) => {
    const call = /\b(?:\w*[pP]roperty|own|attribute|toHaveAttribute)\(([\s\S]*)\)\s*$/.exec(
      code.trim().replace(/;$/, ''),
    );
    return call === null ? 0 : splitArguments(call[1] ?? '').length;
  };
  return values(from) === 2 && values(to) === 1;
}

interface Covering extends Judged {
  readonly added: readonly Assertion[];
}

/** Whether what an assertion said is said by the new ones together or by a function, or is about what is gone. */
function isCovered({ code }: Assertion, { added, before, after, program }: Covering): boolean {
  const [tokens, literals] = [tokensOf(code), literalsOf(code)];
  if (usesRemoved(withValuesBehind(code, before.code), program.removed)) return true;
  const called = namesOf(after.bare).difference(namesOf(before.bare));
  if (!called.isDisjointFrom(program.checkers)) return true;
  if (added.length === 0) return false;
  const addedCode = added.map((one) => one.code).join('\n');
  if (/called_?times\(1\)/i.test(code) && /once/i.test(addedCode)) return true;
  if (literals.size > 0 && shareIn(literals, literalsOf(addedCode)) === 1) return true;
  const left = shareIn(literals, literalsOf(after.code));
  if (left === 1 && shareIn(namesOf(code), namesOf(addedCode)) >= 0.5) return true;
  return left >= MOST && loops(after) > loops(before) && shareIn(tokens, tokensOf(after.code)) >= 0.5;
}

const MOST = 0.8; // a table writes some values in another way

/** A loop over values checks with one assertion what several checked before. */
function loops({ bare }: TestCase): number {
  return bare.match(/\b(?:for|range|forEach|each|every|map|parametrize|subTest)\b/g)?.length ?? 0;
}
