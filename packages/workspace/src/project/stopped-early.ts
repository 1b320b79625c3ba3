import { stopsAtFailure } from '@sluice/core/stops-at-failure';

/** Words by which runners say that they stopped at a failure. */
const WORDS = [
  /^!+ (?:\S+: )?stopping after \d+ failures? !+$/, // pytest
  /^Test Suites: .*, \d+ of \d+ total$/, // jest
  /^Bail out!/, // TAP
  /^Bailed out after \d+ failures?\b/, // bun
  /^ *Testing stopped early after \d+ maximum allowed failures/, // Playwright
  /^warning: \d+\/\d+ tests were not run due to /, // cargo nextest
  /^ *`--fail-fast` is on\./, // AVA
];

const LONGEST = 300; // of a line: longer ones take more time, and say none of it

/** Whether the tests stopped at a failure: by a runner's words, by its numbers, or by the command of a script in the output. */
export function stoppedEarly(lines: readonly string[]): boolean {
  return isCargoStopped(lines) || lines.some((line) => line.length <= LONGEST && isStopped(line));
}

function isStopped(line: string): boolean {
  if (WORDS.some((words) => words.test(line))) return true;
  // npm, pnpm and yarn write the command of a script before they run it.
  if (/^[>$] /.test(line)) return stopsAtFailure(line);
  const [, summary = '', total] = /^ *Tests {2,}(\d.*) \((\d+)\)$/.exec(line) ?? []; // vitest, whose numbers add up otherwise
  const numbers = summary.match(/\d+/g) ?? [];
  return total !== undefined && numbers.reduce((sum, number) => sum + Number(number), 0) < Number(total);
}

/** Cargo names each failing target, and all of them at the end, unless it stops at the first. */
function isCargoStopped(lines: readonly string[]): boolean {
  const failed = lines.some((line) => line.startsWith('error: test failed, to rerun pass '));
  return failed && !lines.some((line) => /^error: \d+ targets? failed:$/.test(line));
}
