/** What failed in an output. */
export interface Failure {
  readonly name: string;
  /**
   * `part`: no test, but a file, a build, a hook or a process that tests are in, and that hides what they would have done.
   * `outer`: it failed because a test inside it did, which has a name of its own. Runners count it all the same.
   */
  readonly kind: 'test' | 'part' | 'outer';
}

export function failedTest(name: string): Failure {
  return { name, kind: 'test' };
}

export function failedPart(name: string): Failure {
  return { name, kind: 'part' };
}

/** A failure that is a part where `isPart`. */
export function failedAs(name: string, isPart: boolean): Failure {
  return { name, kind: isPart ? 'part' : 'test' };
}

/** What mocha and others name where a hook failed, after which the tests of its suite do not run. */
const HOOK = /"(?:before|after) (?:all|each)" hook\b/;

export function isHook(name: string): boolean {
  return HOOK.test(name);
}

/** Whether a name is that of a file with tests: it stands for itself where the file could not be loaded. */
export function isSourceFile(name: string): boolean {
  return /^\S+\.[cm]?[jt]sx?$/.test(name);
}
