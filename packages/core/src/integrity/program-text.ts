import type { ChangedFile } from './changed-file.ts';
import { isTestFile } from './is-test-file.ts';
import { removedNames } from './removed-names.ts';

/** The changed files of the program, before and after: a change of a test is measured by them. */
export interface ProgramText {
  readonly before: string;
  readonly after: string;
  /** Names that the change removes. */
  readonly removed: ReadonlySet<string>;
}

export function programText(files: readonly ChangedFile[]): ProgramText {
  const sources = files.filter(({ path }) => !isTestFile(path));
  return {
    before: sources.map(({ before }) => before ?? '').join('\n'),
    after: sources.map(({ after }) => after ?? '').join('\n'),
    removed: removedNames(files),
  };
}
