import { type Assertion, assertionsOf, isAssertionName } from './assertions.ts';
import { type ComparedTests, titleWords, withoutTitle } from './compared-tests.ts';
import { WORDS_OF_GO } from './covered-assertion.ts';
import { programCalls } from './program-calls.ts';
import type { ProgramText } from './program-text.ts';
import type { Removed } from './removed-from-program.ts';
import type { TestCase } from './test-case.ts';
import { literalsOf, plainCode, shareIn, tokensOf, wordsOfName, writtenLiterals } from './tokens.ts';
import { expectsRemoved, usesRemoved } from './uses-removed.ts';

const MAX_CANDIDATES = 200;

/** Says of a test that is gone whether another one does its work, or nothing is left to do. */
export function explainDeletions(
  { kept, added, gone }: ComparedTests,
  { removed, newRows }: ProgramText,
): (test: TestCase) => boolean {
  const ids = new Map<string, number>();
  const keyBefore = contextKey([...gone, ...kept.map(({ before }) => before)], ids);
  const after = [...added, ...kept.map((pair) => pair.after)];
  const keyAfter = contextKey(after, ids);
  const there = new Set(after.filter(({ isGroup }) => !isGroup).map(keyAfter));
  const merged = candidates({ kept, added }, newRows).map((code) => ({
    tokens: tokensOf(code),
    literals: writtenLiterals(code),
  }));
  const fresh = added
    .filter(({ isGroup, skip }) => !isGroup && skip !== 'always')
    .slice(0, MAX_CANDIDATES)
    .map((test) => ({
      path: test.path,
      title: titleWords(test),
      inputs: inputsOf(test),
      strictness: strictnessOf(test),
      calls: programCalls(test),
      checks: assertionsOf(test).map(factsOf),
    }));
  return (test) => {
    const code = withoutTitle(test);
    if (usesRemoved(code, removed) || isNamedAfter(test, removed) || there.has(keyBefore(test))) return true;
    const plain = test.language === 'go' ? code.replaceAll(WORDS_OF_GO, '') : code;
    const [tokens, literals] = [tokensOf(plain), literalsOf(plain)];
    // Without a value to go by, two tests of the same thing are alike in most of their words.
    const enough = literals.size === 0 ? 0.9 : 0.6;
    if (merged.some((one) => shareIn(literals, one.literals) >= 0.8 && shareIn(tokens, one.tokens) >= enough))
      return true;
    const [strictness, calls] = [strictnessOf(test), programCalls(test)];
    if (calls.size > 0 && fresh.some((one) => one.strictness >= strictness && calls.isSubsetOf(one.calls))) return true;
    const names = namesOfCalls(calls);
    const isTurnedRound = fresh.some(
      (one) =>
        one.path === test.path &&
        one.strictness >= strictness &&
        (!one.inputs.isDisjointFrom(inputsOf(test)) ||
          (names.size > 0 && names.isSubsetOf(namesOfCalls(one.calls)) && !one.title.isDisjointFrom(titleWords(test)))),
    );
    if (isTurnedRound && expectsRemoved(code, removed)) return true;
    const checks = assertionsOf(test).map(factsOf);
    return (
      checks.length > 0 &&
      fresh.some((one) => checks.every((check) => check.calls && one.checks.some((other) => isSame(check, other))))
    );
  };
}

/** `test_cache`, "caches the words": the test of something that has no name in the program any longer. */
function isNamedAfter({ name }: TestCase, { features }: Removed): boolean {
  if (features.size === 0) return false;
  const words = wordsOfName(name.split(' > ').at(-1) ?? '');
  return words.some((word) => features.has(word) || features.has(word.replace(/(?:s|d|ed)$/, '')));
}

/** Calls with what they are given, also of members: `parse(" ")`. */
function inputsOf({ code }: TestCase): Set<string> {
  const calls = Array.from(code.matchAll(GIVEN).take(MAX_CANDIDATES), ([call]) => plainCode(call));
  return new Set(calls.filter((call) => !isAssertionName(call.split('(', 1)[0] ?? '')));
}

const GIVEN = /\b\w{1,100}[!?]?\((?!self\b)[^()\n]{1,200}\)/g;

/** What the test gives something to, whatever that is. */
const namesOfCalls = (calls: ReadonlySet<string>) =>
  new Set([...calls].map((call) => call.split('(', 1)[0] ?? '').filter((name) => !OF_LANGUAGES.test(name)));
const OF_LANGUAGES = /^(?:str|Err|Ok|Some|len|repr|list|dict|set|int|String|Number|format!|fmt\.\w+|errors\.\w+)$/;

interface Check {
  readonly rank: number;
  readonly tokens: ReadonlySet<string>;
  readonly literals: ReadonlySet<string>;
  /** It calls the program with something, and so says what it is about, whatever was prepared for it elsewhere. */
  readonly calls: boolean;
}

function factsOf({ code, text, rank }: Assertion): Check {
  const calls = programCalls({ code: text, bare: text }).size > 0;
  return { rank, tokens: tokensOf(code), literals: literalsOf(code), calls };
}

/** Whether a check is another one, in which a name may be new. */
function isSame(check: Check, other: Check): boolean {
  if (other.rank < check.rank || shareIn(check.literals, other.literals) < 1) return false;
  return shareIn(check.tokens, other.tokens) >= ALIKE && shareIn(other.tokens, check.tokens) >= ALIKE;
}

const ALIKE = 0.8;

/**
 * The key of a test apart from its name: its code, and the code of the groups around it, which may prepare something
 * else.
 */
function contextKey(tests: readonly TestCase[], ids: Map<string, number>): (test: TestCase) => string {
  const idOf = (test: TestCase) => {
    const code = plainCode(withoutTitle(test));
    const id = ids.get(code) ?? ids.size;
    ids.set(code, id);
    return id;
  };
  const groups = new Map(
    tests.filter(({ isGroup }) => isGroup).map((group) => [`${group.path}\n${group.name}`, idOf(group)]),
  );
  return (test) => {
    const titles = test.name.split(' > ');
    const around = titles
      .slice(0, -1)
      .map((_, at) => groups.get(`${test.path}\n${titles.slice(0, at + 1).join(' > ')}`));
    return [...around, idOf(test)].join(' ');
  };
}

/** How much the strictest check of a test pins down: a contract that changed is checked as strictly as the old one. */
function strictnessOf(test: TestCase): number {
  return Math.max(0, ...assertionsOf(test).map(({ rank, isConstant }) => (isConstant ? 0 : rank)));
}

/**
 * Whether a new group may be what a test became: of JavaScript and Ruby, which make tests in loops, or a small one inside
 * another, which prepares something for its tests. A class of a whole file holds too much to stand for one test.
 */
function makesTests({ language, name }: TestCase, size: () => number): boolean {
  if (language === 'javascript' || language === 'ruby') return true;
  return (language === 'python' || name.includes(' > ')) && size() <= FEW;
}

const FEW = 6; // tests

/** Groups that are run for several things: of RSpec, and classes that others inherit from. */
const SHARED =
  /\bshared_(?:examples|context)|\w(?:Mixin|Base|Contract)\b|\b(?:abstract|open)\s+class|^(?:Shared|Base|Common)/;
const MAX_HEAD_LENGTH = 200; // characters

/** The code of what a test may have been merged into: new tests, tests that grew, and groups that make tests in a loop. */
function candidates({ kept, added }: Pick<ComparedTests, 'kept' | 'added'>, newRows: ProgramText['newRows']): string[] {
  const grown = kept
    .filter(({ before, after }) => after.code.length + newRows(after).length > before.code.length * 1.1)
    .map(({ after }) => after);
  // What several tests had in common stands for each of them.
  const groups = new Set(
    [...added, ...kept.map(({ after }) => after)]
      .filter(({ isGroup, name, code }) => isGroup && SHARED.test(`${name}\n${code.slice(0, MAX_HEAD_LENGTH)}`))
      .map(({ path, name }) => `${path}\n${name}`),
  );
  const shared = kept
    .filter(({ before, after }) => before.name !== after.name || before.path !== after.path)
    .map(({ after }) => after)
    .filter(({ path, name }) => groups.has(`${path}\n${name.split(' > ').slice(0, -1).join(' > ')}`));
  const within = (group: TestCase) =>
    added
      .filter(({ path, name }) => path === group.path && name.startsWith(`${group.name} > `))
      .map(({ code }) => code);
  const makers = [...added, ...shared, ...grown].filter(
    (test) => !test.isGroup || makesTests(test, () => within(test).length),
  );
  return makers
    .slice(0, MAX_CANDIDATES)
    .map((test) => [test.code, ...(test.isGroup ? within(test) : [newRows(test)])].join('\n'));
}
