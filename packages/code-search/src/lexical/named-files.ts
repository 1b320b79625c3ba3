import type { IndexDatabase } from './index-database.ts';

const FILE_NAME = /[\w@$+~.-]+(?:\/[\w@$+~.-]+)*\.[A-Za-z]\w{0,9}/g;
const MAX_QUESTION_CHARS = 16_000;
const MAX_NAMES = 8; // each reads all paths of the repository
/** `index.ts` names no file. */
export const MAX_SAME = 5;

/** What looks like the name of a file in a question. */
export function fileNames(question: string): readonly string[] {
  const names = new Set(question.slice(0, MAX_QUESTION_CHARS).match(FILE_NAME) ?? []);
  return [...names].slice(0, MAX_NAMES);
}

/** The files that a question names by their path or the end of it, by their number. */
export function namedFiles(db: IndexDatabase, repo: number, question: string): ReadonlySet<number> {
  const find = db
    .prepare<[number, string, string, string, number], number>(
      'select distinct blob from paths where repo = ? and (path = ? or substr(path, -length(?)) = ?) limit ?',
    )
    .pluck();
  const found = new Set<number>();
  for (const name of fileNames(question)) {
    const files = find.all(repo, name, `/${name}`, `/${name}`, MAX_SAME + 1);
    if (files.length <= MAX_SAME) for (const file of files) found.add(file);
  }
  return found;
}
