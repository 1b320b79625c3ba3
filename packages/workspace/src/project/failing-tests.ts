import { cargoFailures } from './cargo-failures.ts';
import { withoutControlSequences } from './control-sequences.ts';
import { cutName, fingerprint } from './cut-name.ts';
import { goFailures } from './go-failures.ts';
import { jestFailures, mochaFailures, vitestFailures } from './javascript-failures.ts';
import { junitFailures } from './junit-failures.ts';
import { nodeSpecFailures } from './node-spec-failures.ts';
import { pytestFailures, unittestFailures } from './python-failures.ts';
import { tapFailures } from './tap-failures.ts';

/** Reads the names of failing tests out of the lines of an output that has no colours any more. */
type FailureReader = (lines: readonly string[]) => string[];

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
];

const MAX_NAMES = 200;
const LONGEST_LINE = 2_000; // names stand at its beginning
const LONGEST_OUTPUT = 8 * 1_024 * 1_024;

/**
 * Names of the failing tests in an output, each once, the same from run to run: no times, no colours, no line numbers.
 * An output may hold several runners' reports; each is read by what only that runner prints. Of more than 200 names the
 * first 199 in alphabetical order stand, and one that stands for the rest and differs when any of them does, so that
 * comparing two lists never hides a new failure.
 *
 * The output may have been made to be slow to read: time and memory are linear in its length in each reader.
 */
export function failingTests(output: string): string[] {
  const text = withoutControlSequences(output.slice(-LONGEST_OUTPUT))
    .replace(/\r\n?/g, '\n')
    .replace(/[\u2028\u2029]/g, ' '); // `.` does not match them, and patterns that could not fail begin to backtrack
  const lines = text.split('\n').map((line) => cutName(line, LONGEST_LINE));
  const names = [...readers.flatMap((read) => read(lines)), ...junitFailures(text)];
  return bounded([...new Set(names.map(tidied))].filter((name) => name !== ''));
}

function bounded(names: string[]): string[] {
  if (names.length <= MAX_NAMES) return names;
  const sorted = names.sort();
  const rest = sorted.slice(MAX_NAMES - 1);
  return [...sorted.slice(0, MAX_NAMES - 1), `… and ${rest.length} more (${fingerprint(rest.join('\n'))})`];
}

function tidied(name: string): string {
  const clean = name
    .replace(/\p{Cc}+/gu, ' ')
    .toWellFormed()
    .trim();
  return cutName(clean);
}

const FAILED = /^(.*?)\sTime elapsed: [\d.,]+ (?:s|sec)\s+<<< (?:FAILURE|ERROR)!/;

/** Reads Maven's surefire and failsafe: `Class.test -- Time elapsed: … <<< FAILURE!`, in the forms of versions 2 and 3. */
function surefireFailures(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    if (/^\[ERROR\] COMPILATION ERROR/.test(line)) return ['compilation error'];
    const said = FAILED.exec(line)?.[1];
    return said === undefined ? [] : nameIn(said);
  });
}

function nameIn(said: string): string[] {
  const name = said
    .replace(/^\[ERROR\] /, '')
    .trim()
    .replace(/\s--$/, '')
    .trimEnd();
  return name === '' || name.startsWith('Tests run:') ? [] : [name];
}
