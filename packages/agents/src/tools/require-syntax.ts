import * as z from 'zod';
import { refusal, type ToolContext } from './agent-tool.ts';
import { plainPath } from './plan-scope.ts';
import { shortenEnd } from './shorten.ts';

const FAULTS_NAMED = 3; // the others usually follow from the first
const LINES_AROUND = 2;

/** Files that no person writes, and files of tests that may be broken on purpose. */
const EXEMPT =
  /(?:^|\/)(?:node_modules|vendor|third_party|dist|__generated__|fixtures?|__fixtures__|testdata|test-data|__snapshots__)\/|\.(?:min|generated|g|pb)\.\w+$|_pb2(?:_grpc)?\.py$/i;

/**
 * The part of a writing tool's input that lets it write what the service takes for broken. Before the file was refused it
 * counts for nothing: a model that always sets it would never learn of its slips.
 */
export const syntaxIsRight = z.boolean().optional().describe('Only after a refusal.');

export interface SyntaxChange {
  readonly path: string;
  /** The text until now; null for a new file. */
  readonly before: string | null;
  readonly after: string;
  readonly isRight: boolean | undefined;
}

/**
 * Refuses a change after which a file no longer parses. A file that is broken already may be changed in any way, so that
 * it can be repaired step by step.
 *
 * @returns a sentence for the model about what is still broken, or ''
 * @throws AppError `tool_refused`
 */
export async function requireSyntax(
  { syntaxFaults, brokenFiles }: Pick<ToolContext, 'syntaxFaults' | 'brokenFiles'>,
  { path, before, after, isRight = false }: SyntaxChange,
): Promise<string> {
  if (EXEMPT.test(path) || (isRight && brokenFiles.has(plainPath(path)))) return '';
  const faults = (await syntaxFaults({ path, text: after })) ?? [];
  const [first] = faults;
  if (first === undefined) return '';
  const named = faults
    .slice(0, FAULTS_NAMED)
    .map(({ line, problem }) => `line ${line}: ${problem}`)
    .join('; ');
  const earlier = before === null ? [] : ((await syntaxFaults({ path, text: before })) ?? []);
  if (earlier.length > 0) return ` It does not parse, as before: ${named}.`;
  throw refusal(
    `Nothing was written: ${path} would not parse (${named}). The result would be:\n${linesAround(after, first.line)}\nCorrect the text. If it is right all the same, set syntax_is_right.`,
  );
}

/** The file that a tool's answer refuses to change because it would not parse, or null. */
export function brokenFileOf(answer: string): string | null {
  const path = /^Nothing was written: (.+) would not parse \(/.exec(answer)?.[1];
  return path === undefined ? null : plainPath(path);
}

function linesAround(text: string, line: number): string {
  const first = Math.max(1, line - LINES_AROUND);
  return text
    .split('\n')
    .slice(first - 1, line + LINES_AROUND)
    .map((shown, index) => `${first + index}\t${shortenEnd(shown, 200)}`)
    .join('\n');
}
