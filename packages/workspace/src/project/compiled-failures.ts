import { type Failure, failedAs, failedPart, failedTest } from './failure.ts';

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

/** Reads `dotnet test`: `  Failed Shop.Tests.Adds [12 ms]`, and a compilation that failed. */
export function dotnetFailures(lines: readonly string[]): Failure[] {
  return lines.flatMap((line) => {
    if (/: error (?:CS|FS|BC)\d{4,5}: /.test(line)) return [failedPart('compilation error')];
    const name = /^ {2}Failed (\S[^[]*(?:\[[^\]]*\][^[]+)?) \[<? ?[\d.,]+ \w+\]$/.exec(line)?.[1];
    return name === undefined ? [] : [failedTest(name)];
  });
}

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

/**
 * The name that is printed where a class could not be set up, and so none of its tests ran: JUnit's words, or the class
 * alone.
 */
const NO_TEST = /(?:^|[. ])(?:initializationError|executionError|classMethod)(?:\(|$)|^(?:[a-z_][\w$]*\.)*[A-Z][\w$]*$/;

const FAILED = /^(.*?)\sTime elapsed: [\d.,]+ (?:s|sec)\s+<<< (?:FAILURE|ERROR)!/;

/** Reads Maven's surefire and failsafe: `Class.test -- Time elapsed: … <<< FAILURE!`, in the forms of versions 2 and 3. */
export function surefireFailures(lines: readonly string[]): Failure[] {
  return lines.flatMap((line) => {
    if (/^\[ERROR\] COMPILATION ERROR/.test(line)) return [failedPart('compilation error')];
    const title = FAILED.exec(line)?.[1];
    return title === undefined ? [] : nameIn(title);
  });
}

function nameIn(title: string): Failure[] {
  const name = title
    .replace(/^\[ERROR\] /, '')
    .trim()
    .replace(/\s--$/, '')
    .trimEnd();
  return name === '' || name.startsWith('Tests run:') ? [] : [failedAs(name, NO_TEST.test(name))];
}

/** Reads Gradle: `SumTest > adds() FAILED`, and compilations that failed. */
export function gradleFailures(lines: readonly string[]): Failure[] {
  return lines.flatMap((line) => {
    const task = /^> Task (:\S*[cC]ompile\S*) FAILED$/.exec(line)?.[1];
    if (task !== undefined) return [failedPart(`compilation error in ${task}`)];
    if (!line.endsWith(' FAILED')) return [];
    const name = line.slice(0, -' FAILED'.length);
    return /^[\w.$]+ > \S/.test(name) ? [failedAs(name, NO_TEST.test(name))] : [];
  });
}
