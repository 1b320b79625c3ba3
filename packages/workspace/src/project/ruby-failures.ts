import { type Failure, failedPart, failedTest } from './failure.ts';
import { testName } from './test-name.ts';

/** Reads RSpec's closing list, `rspec ./spec/a_spec.rb:5 # Sum adds`, and files that could not be loaded. */
export function rspecFailures(lines: readonly string[]): Failure[] {
  return lines.flatMap((line) => {
    const broken = /^An error occurred while loading (\S+)\.$/.exec(line)?.[1];
    if (broken !== undefined) return [failedPart(broken)];
    const [, file, name] = /^rspec '?(\.\/[^:[\s]+)\S* # (.+)$/.exec(line) ?? [];
    return file === undefined ? [] : [failedTest(testName(file, name))];
  });
}

/** Reads minitest: `Failure:` or `Error:`, then `SumTest#test_adds [test/sum_test.rb:6]:`. */
export function minitestFailures(lines: readonly string[]): Failure[] {
  return lines.flatMap((line, at) => {
    if (!/^(?: {2}\d+\) )?(?:Failure|Error):$/.test(lines[at - 1] ?? '')) return [];
    const name = /^([\w:]+#[^[]+?)(?: \[[^\]]*\])?:$/.exec(line)?.[1];
    return name === undefined ? [] : [failedTest(name)];
  });
}
