import { type Failure, failedAs } from './failure.ts';

/** Reads `ctest`: the list under `The following tests FAILED:`, as `  3 - sums (Failed)`, or `(Not Run)` for what was not built. */
export function ctestFailures(lines: readonly string[]): Failure[] {
  const failures: Failure[] = [];
  let inList = false;
  for (const line of lines) {
    if (line === 'The following tests FAILED:') inList = true;
    const [, name, how] = (inList ? /^\s+\d+ - (\S.*) \(([^()]+)\)(?:\s.*)?$/.exec(line) : null) ?? [];
    if (name !== undefined) failures.push(failedAs(name.trim(), how === 'Not Run'));
    else if (line !== 'The following tests FAILED:') inList = false;
  }
  return failures;
}
