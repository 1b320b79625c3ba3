import { type Failure, failedPart, failedTest } from './failure.ts';

/**
 * Reads `cargo test`: the names under the last `failures:` before each `test result: FAILED`, and targets that did not
 * compile or that a signal ended. Which target a name belongs to stands on stderr, whose place among the lines is chance; so equal names of
 * several targets are distinguished by number.
 */
export function cargoFailures(lines: readonly string[]): Failure[] {
  const parts: Failure[] = [];
  const names: string[] = [];
  let listed: string[] | null = null;
  for (const line of lines) {
    const broken = /^error: could not compile (.+?) due to \d+ previous errors?/.exec(line)?.[1];
    if (broken !== undefined) parts.push(failedPart(`could not compile ${broken}`));
    const killed = KILLED.exec(line)?.[1];
    if (killed !== undefined) parts.push(failedPart(`${killed} [process ended]`));
    const name = /^ {4}(\S.*)$/.exec(line)?.[1];
    if (line === 'failures:') listed = [];
    else if (listed !== null && name !== undefined) listed.push(name);
    else if (listed !== null && line.startsWith('test result: FAILED')) {
      for (const one of listed) names.push(one); // a spread of many would overflow the stack
      listed = null;
    } else if (line !== '' && line.startsWith('----')) listed = null; // the outputs, not the list of names
  }
  return [...parts, ...numbered(names).map(failedTest)];
}

/** The file is named after the target and a hash that changes. */
const KILLED = /^ {2}process didn't exit successfully: `\S*\/deps\/([\w-]+?)-[0-9a-f]{16}\b.*\(signal: \d/;

function numbered(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}
