import { type Failure, failedPart, failedTest } from './failure.ts';

/** Reads `dotnet test`: `  Failed Shop.Tests.Adds [12 ms]`, and a compilation that failed. */
export function dotnetFailures(lines: readonly string[]): Failure[] {
  return lines.flatMap((line) => {
    if (/: error (?:CS|FS|BC)\d{4,5}: /.test(line)) return [failedPart('compilation error')];
    const name = /^ {2}Failed (\S[^[]*(?:\[[^\]]*\][^[]+)?) \[<? ?[\d.,]+ \w+\]$/.exec(line)?.[1];
    return name === undefined ? [] : [failedTest(name)];
  });
}
