import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';

/** A file of the product. */
export interface SourceFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

const isOfProduct = /^(?:packages|apps)\/[^/]+\/src\/.+\.(?:tsx?|css)$/;
const isTestOrPrinted = /\.(?:test|spec|contract|bench|d)\.tsx?$|^packages\/(?:testing|fake-code-host)\//;

/** Whether a file counts as source: no test, no test kit, no declaration that a tool prints. */
export function isSourceFile(path: string): boolean {
  return isOfProduct.test(path) && !isTestOrPrinted.test(path);
}

/** How many lines a text has. */
export function linesOf(text: string): number {
  return text.split('\n').length - 1;
}

/** The files of the repository that a file names by a relative path: in imports, in exports and in `new URL`. */
export function filesNamedBy({ path, text }: SourceFile): string[] {
  if (path.endsWith('.css')) return [];
  const { module } = parseSync(path, text);
  const paths = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value ?? '')),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
    ...Array.from(text.matchAll(/new URL\('(\.[^']+)'/g), ([, named = '']) => named),
  ];
  return paths.filter((named) => named.startsWith('.')).map((named) => posix.join(posix.dirname(path), named));
}
