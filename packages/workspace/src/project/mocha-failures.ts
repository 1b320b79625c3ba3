import { MAX_DEPTH } from './test-chain.ts';
import { testName } from './test-name.ts';

/**
 * Reads mocha's closing list, which follows the line `N failing`: a number, the suites and the test on lines of their
 * own, the last one ending in a colon.
 */
export function mochaFailures(lines: readonly string[]): string[] {
  const start = lines.findLastIndex((line) => /^ {2}\d+ failing$/.test(line));
  if (start < 0) return [];
  const names: string[] = [];
  for (let at = start + 1; at < lines.length; at += 1) {
    // Numbers count up by one, so that an error's text cannot pass for the next entry by chance.
    const [, number, first] = /^ {2}(\d+)\) (.+)$/.exec(lines[at] ?? '') ?? [];
    if (first === undefined || number !== `${names.length + 1}`) continue;
    const parts = [first];
    while (parts.length <= MAX_DEPTH && !parts.at(-1)?.endsWith(':') && /^ {7,}\S/.test(lines[at + 1] ?? '')) {
      at += 1;
      parts.push((lines[at] ?? '').trim());
    }
    names.push(testName(...parts.map((part, index) => (index === parts.length - 1 ? part.replace(/:$/, '') : part))));
  }
  return names;
}
