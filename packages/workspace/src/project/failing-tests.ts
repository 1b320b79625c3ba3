import { cargoFailures, ctestFailures, dotnetFailures, gradleFailures, surefireFailures } from './compiled-failures.ts';
import { cutName, fingerprint } from './cut-name.ts';
import type { Failure } from './failure.ts';
import { goFailures } from './go-failures.ts';
import { bunFailures, denoFailures, jestFailures, mochaFailures, vitestFailures } from './javascript-failures.ts';
import { junitFailures } from './junit-failures.ts';
import { nodeSpecFailures } from './node-spec-failures.ts';
import type { OutputText } from './output-text.ts';
import {
  exunitFailures,
  minitestFailures,
  phpunitFailures,
  pytestFailures,
  rspecFailures,
  unittestFailures,
} from './script-failures.ts';
import { tapFailures } from './tap-failures.ts';

/** Reads what failed out of the lines of an output that has no colours any more. */
type FailureReader = (lines: readonly string[]) => Failure[];

const readers: readonly FailureReader[] = [
  tapFailures,
  nodeSpecFailures,
  vitestFailures,
  jestFailures,
  mochaFailures,
  pytestFailures,
  unittestFailures,
  goFailures,
  cargoFailures,
  surefireFailures,
  gradleFailures,
  dotnetFailures,
  rspecFailures,
  minitestFailures,
  phpunitFailures,
  exunitFailures,
  bunFailures,
  denoFailures,
  ctestFailures,
];

const MAX_NAMES = 200;

/**
 * The failures in an output. It may hold several runners' reports; each is read by words that only that runner prints.
 * Names are the same from run to run: no times, no colours, no line numbers.
 */
export function failuresIn({ text, lines }: OutputText): Failure[] {
  return [...readers.flatMap((read) => read(lines)), ...junitFailures(text)];
}

/**
 * The names of failures, each once. Of more than 200 the first 199 in alphabetical order stand, and one that stands for the
 * rest and differs when any of them does, so that comparing two lists never hides a new failure.
 */
export function failedNames(failures: readonly Failure[]): string[] {
  return bounded([...new Set(failures.map(({ name }) => tidied(name)))].filter((name) => name !== ''));
}

function bounded(names: string[]): string[] {
  if (names.length <= MAX_NAMES) return names;
  const sorted = names.sort();
  const rest = sorted.slice(MAX_NAMES - 1);
  return [...sorted.slice(0, MAX_NAMES - 1), `… and ${rest.length} more (${fingerprint(rest.join('\n'))})`];
}

/** A name in one line, cut to a length, as every store can keep it. */
export function tidied(name: string): string {
  const clean = name
    .replace(/\p{Cc}+/gu, ' ')
    .toWellFormed()
    .trim();
  return cutName(clean);
}
