/** The effect of a change on tests in the sources: it explains why tests of the base do not run with it. */
export interface TouchedTests {
  /**
   * The titles of the tests and groups that it removes, renames or edits, with their placeholders. Null where it changes
   * tests in a language of which they are not read one by one.
   */
  readonly titles: readonly string[] | null;
  /** How many tests more there are with it, or fewer where negative; null where one test of a source is several of a run. */
  readonly more: number | null;
}

export const NOTHING_TOUCHED: TouchedTests = { titles: [], more: 0 };
