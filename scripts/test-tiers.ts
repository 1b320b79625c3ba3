import { parseSync } from 'oxc-parser';

const USUAL_WAY = /^ Usual way: (.+)$/;

const isFirstTier = (path: string) => !/(^|\/)(deep|soak)\//.test(path);

/**
 * Files of the deep tier must name those of the first tier that try the usual way of the same behaviour, in lines
 * `// Usual way: FILE, FILE`, so that `npm test` tries each behaviour at least once.
 *
 * @param testFiles the paths of all test files, from the root of the repository
 * @returns a sentence for each fault
 */
export function faultsOfTiers(testFiles: readonly string[], read: (path: string) => string): string[] {
  const first = new Set(testFiles.filter(isFirstTier));
  return testFiles
    .filter((path) => /(^|\/)deep\//.test(path))
    .flatMap((path) => {
      const named = parseSync(path, read(path)).comments.flatMap(
        ({ value }) => USUAL_WAY.exec(value)?.[1]?.split(', ') ?? [],
      );
      if (named.length === 0) return [`${path} names no usual way. Add "// Usual way: FILE" below its imports.`];
      return named
        .filter((file) => !first.has(file))
        .map((file) => `${path} names ${file} as its usual way, which is not a test file of the first tier.`);
    });
}
