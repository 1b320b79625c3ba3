import { isTestFile } from './belongs-to-tests.ts';
import { goTests } from './go-tests.ts';
import { javascriptTests } from './javascript-tests.ts';
import { jvmTests } from './jvm-tests.ts';
import { outlinedTests } from './outlined-tests.ts';
import { pythonTests } from './python-tests.ts';
import { rubyTests } from './ruby-tests.ts';
import { rustTests } from './rust-tests.ts';
import type { TestCase } from './test-case.ts';

type Reader = (path: string, source: string) => TestCase[];

const readers: readonly (readonly [RegExp, Reader])[] = [
  [/\.[cm]?[jt]sx?$/, javascriptTests],
  [/\.py$/, pythonTests],
  [/_test\.go$/, goTests],
  [/\.rs$/, rustTests],
  [/\.(?:java|kt)$/, jvmTests],
  [/\.rb$/, rubyTests],
  [/\.(?:php|cs|exs)$/, outlinedTests],
];

/** The tests in a source, in the order in which they stand there. None for a file that is no test's, and for null. */
export function readTests(path: string, source: string | null): TestCase[] {
  if (source === null) return [];
  // Rust keeps tests beside what they test.
  if (!path.endsWith('.rs') && !isTestFile(path)) return [];
  return readers.find(([pattern]) => pattern.test(path))?.[1](path, source) ?? [];
}
