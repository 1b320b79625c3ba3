import type { SyntaxFault } from '@sluice/core';

/** Files named .json that their programs read with comments and commas at the end. */
const WITH_COMMENTS =
  /(?:^|\/)(?:[tj]sconfig[^/]*|deno|biome|turbo|nx|api-extractor|devcontainer|\.eslintrc|\.swcrc|\.babelrc|renovate|wrangler)\.json$|(?:^|\/)\.(?:vscode|devcontainer)\//;

/** Where a text is no JSON; empty for one that is, null where comments may stand in it. */
export function jsonFaults(path: string, text: string): SyntaxFault[] | null {
  if (WITH_COMMENTS.test(path) || text.trim() === '') return null;
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const line = /\(line (\d+) column/.exec(message)?.[1];
    const lines = text.trimEnd().split('\n').length;
    const [problem = ''] = message.split(/ in JSON| \(line |, "| at position/, 1);
    return [{ line: line === undefined ? lines : Number(line), problem }];
  }
}
