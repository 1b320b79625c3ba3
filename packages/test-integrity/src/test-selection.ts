/** Which tests a configuration tells a runner to take. */
export interface TestSelection {
  /** The places in which it looks for tests, or the conditions on them. */
  readonly included: readonly string[];
  /** The entries of `included` that narrow the runner's usual choice, where nothing was set before. */
  readonly narrow: readonly string[];
  readonly excluded: readonly string[];
  /** Switches by which tests do not run, or may fail or be missing. */
  readonly off: readonly string[];
  /** Switches by which a run fails that leaves tests out, by their names. */
  readonly strict: readonly string[];
  /** What hooks for all tests do to leave some out. */
  readonly skips: readonly string[];
}
