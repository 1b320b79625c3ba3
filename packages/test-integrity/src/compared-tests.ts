import type { ChangedFile } from '@sluice/core/change';
import { readTests } from './read-tests.ts';
import { subjectOf } from './subject-of.ts';
import type { TestCase } from './test-case.ts';
import { literalsOf, namesOf, plainCode, shareIn, wordsOfName } from './tokens.ts';

/** The tests of a change: which are still there, which are new and which are gone. */
export interface ComparedTests {
  /** The same test before and after, perhaps at another place or under another name. */
  readonly kept: readonly { readonly before: TestCase; readonly after: TestCase }[];
  readonly added: readonly TestCase[];
  readonly gone: readonly TestCase[];
}

/** Finds each test of the base again: by its place and name, by its code, and by what it gives and expects. */
export function compareTests(files: readonly ChangedFile[]): ComparedTests {
  const before = new Set(files.flatMap(({ path, before }) => readTests(path, before)));
  const after = new Set(files.flatMap(({ path, after }) => readTests(path, after)));
  const kept: { before: TestCase; after: TestCase }[] = [];
  const pairBy = (key: (test: TestCase) => string) => {
    const byKey = Map.groupBy([...after].reverse(), key);
    for (const test of before) {
      const found = byKey.get(key(test))?.pop();
      if (found === undefined) continue;
      kept.push({ before: test, after: found });
      before.delete(test);
      after.delete(found);
    }
  };
  pairBy(({ path, name }) => `${path}\n${name}`);
  pairBy(({ name }) => name);
  pairBy(({ code, name }) => `${name.split(' > ').at(-1)}\n${plainCode(code)}`);
  pairBy((test) => plainCode(withoutTitle(test)));
  const facts = new Map(
    [...[...before].slice(0, MAX_COMPARED_TESTS), ...[...after].slice(0, MAX_COMPARED_TESTS)].map((test) => [
      test,
      factsOf(test),
    ]),
  );
  for (const test of [...before].slice(0, MAX_COMPARED_TESTS)) {
    const found = test.isGroup ? null : renamed(test, after, facts);
    if (found === null) continue;
    kept.push({ before: test, after: found });
    before.delete(test);
    after.delete(found);
  }
  return { kept, added: [...after], gone: [...before] };
}

/** A test without its title, its marks and its indentation. */
export function withoutTitle({ code, name }: TestCase): string {
  const title =
    name
      .split(' > ')
      .at(-1)
      ?.replace(/ \(\d+\)$/, '') ?? '';
  return ['"', "'", '`', ''].reduce((left, quote) => left.replace(`${quote}${title}${quote}`, ''), code);
}

const MAX_COMPARED_TESTS = 300; // tests: of a change with more, a person looks at the rest

interface TestFacts {
  readonly names: ReadonlySet<string>;
  readonly literals: ReadonlySet<string>;
  readonly title: ReadonlySet<string>;
}

function factsOf(test: TestCase): TestFacts {
  const code = withoutTitle(test);
  return { names: namesOf(code), literals: literalsOf(code), title: titleWords(test) };
}

/** The new test that most likely is this one under another title: alike in its title or in its values, and in its names. */
function renamed(
  test: TestCase,
  among: ReadonlySet<TestCase>,
  facts: ReadonlyMap<TestCase, TestFacts>,
): TestCase | null {
  const own = facts.get(test);
  if (own === undefined) return null;
  let best: { score: number; test: TestCase } | null = null;
  for (const other of among) {
    const its = facts.get(other);
    if (its === undefined || other.isGroup || other.language !== test.language) continue;
    const names = Math.max(shareIn(own.names, its.names), shareIn(its.names, own.names));
    const values = own.literals.size === 0 ? shareIn(own.names, its.names) : shareIn(own.literals, its.literals);
    const titles = Math.min(shareIn(own.title, its.title), shareIn(its.title, own.title));
    // Another runner has other names for almost everything, and the same title.
    const isSameTitle =
      titles === 1 &&
      own.title.size > 0 &&
      (own.title.size >= LONG_TITLE || subjectOf(other.path) === subjectOf(test.path));
    if (names < (isSameTitle ? 0.25 : 0.5) || (values < 0.75 && titles < 0.5)) continue;
    const score = names + values + titles;
    if (score > (best?.score ?? 0)) best = { score, test: other };
  }
  return best?.test ?? null;
}

const LONG_TITLE = 3; // words: a shorter one is had by several tests

/** The words of a title without their endings. */
export function titleWords({ name }: TestCase): Set<string> {
  return new Set(
    wordsOfName(name.split(' > ').at(-1) ?? '')
      .filter((word) => word !== 'test')
      .map((word) => word.replace(/(?<=..)(?:s|ed)$/, '')),
  );
}
