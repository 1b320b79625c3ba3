import { type Failure, failedAs, failedPart } from './failure.ts';

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
