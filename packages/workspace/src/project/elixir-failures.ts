import { type Failure, failedPart, failedTest } from './failure.ts';
import { testName } from './test-name.ts';

/** Reads ExUnit: `  1) test adds (SumTest)`, then the place in the file; and files that do not compile. */
export function exunitFailures(lines: readonly string[]): Failure[] {
  return lines.flatMap((line, at) => {
    const broken = /^== Compilation error in file (\S+) ==$/.exec(line)?.[1];
    if (broken !== undefined) return [failedPart(broken)];
    const [, name, module] = /^ {2}\d+\) ((?:test|property|doctest) .+) \(([\w.]+)\)$/.exec(line) ?? [];
    const isPlaced = /^ {5}\S+:\d+$/.test(lines[at + 1] ?? '');
    return name === undefined || !isPlaced ? [] : [failedTest(testName(module, name))];
  });
}
