import type { ChangedFile } from './changed-file.ts';
import { readTests } from './read-tests.ts';
import type { TestCase } from './test-case.ts';
import { literalsOf, namesOf, plainCode, shareIn } from './tokens.ts';

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
    const byKey = Map.groupBy(after, key);
    for (const test of before) {
      const found = byKey.get(key(test))?.find((one) => after.has(one));
      if (found === undefined) continue;
      kept.push({ before: test, after: found });
      before.delete(test);
      after.delete(found);
    }
  };
  pairBy(({ path, name }) => `${path}\n${name}`);
  pairBy(({ name }) => name);
  pairBy(({ bare, code, name }) => `${name.split(' > ').at(-1)}\n${plainCode(code).length}${plainCode(bare).length}`);
  pairBy((test) => plainCode(withoutTitle(test)));
  for (const test of before) {
    const found = test.isGroup ? null : renamed(test, after);
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

const MOST_COMPARED = 400; // tests: a change that adds more is compared with the first of them

/** The new test that most likely is this one under another title: alike in its title or in its values, and in its names. */
function renamed(test: TestCase, among: ReadonlySet<TestCase>): TestCase | null {
  const code = withoutTitle(test);
  const [tokens, literals, title] = [namesOf(code), literalsOf(code), titleWords(test)];
  let best: { score: number; test: TestCase } | null = null;
  for (const other of [...among].slice(0, MOST_COMPARED)) {
    if (other.isGroup || other.language !== test.language) continue;
    const otherCode = withoutTitle(other);
    const otherNames = namesOf(otherCode);
    const names = Math.max(shareIn(tokens, otherNames), shareIn(otherNames, tokens));
    const values = literals.size === 0 ? shareIn(tokens, otherNames) : shareIn(literals, literalsOf(otherCode));
    const titles = Math.min(shareIn(title, titleWords(other)), shareIn(titleWords(other), title));
    if (names < 0.5 || (values < 0.75 && titles < 0.5)) continue;
    const score = names + values + titles;
    if (score > (best?.score ?? 0)) best = { score, test: other };
  }
  return best?.test ?? null;
}

function titleWords({ name }: TestCase): Set<string> {
  const title = name.split(' > ').at(-1) ?? '';
  return new Set(
    title
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.filter((word) => word !== 'test'),
  );
}
