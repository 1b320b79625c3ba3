import type { SyntaxFault } from '@sluice/core/code-search';

/** Files named .json that their programs read with comments and commas at the end. */
const WITH_COMMENTS =
  /(?:^|\/)(?:[tj]sconfig[^/]*|deno|biome|turbo|nx|api-extractor|devcontainer|\.eslintrc|\.swcrc|\.babelrc|renovate|wrangler)\.json$|(?:^|\/)\.(?:vscode|devcontainer)\//;
/** Files whose programs read them without. */
const WITHOUT_COMMENTS = /(?:^|\/)(?:package|package-lock|npm-shrinkwrap|composer)\.json$/;

/**
 * The faults of a text that is no JSON; empty for JSON, null where comments may stand in it. Hundreds of programs read
 * their files with comments: the author of a comment knows.
 */
export function jsonFaults(path: string, text: string): SyntaxFault[] | null {
  if (WITH_COMMENTS.test(path) || text.trim() === '') return null;
  const bare = WITHOUT_COMMENTS.test(path) ? text : withoutComments(text);
  const faults = faultsOf(bare);
  return bare === text || faults.length > 0 ? faults : null;
}

/** The same lines without comments and, if there are any, without commas at an end; a text without comments as it is. */
function withoutComments(text: string): string {
  const without = text.replaceAll(
    /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g,
    (comment, string?: string) => (string === undefined ? comment.replaceAll(/[^\n]/g, ' ') : string),
  );
  if (without === text) return text;
  return without.replaceAll(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, (_comma, string?: string) => string ?? ' ');
}

function faultsOf(text: string): SyntaxFault[] {
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
