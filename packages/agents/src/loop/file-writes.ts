import { pathsOfPatch } from '../tools/parse-patch.ts';
import { plainPath, writtenPaths } from '../tools/plan-scope.ts';
import { writingTools } from '../tools/writing-tools.ts';
import { type CallWithResult, hasFailed, resultText } from './transcript.ts';

/** What a call wrote into one file. */
export interface FileWrite {
  readonly path: string;
  /** The text that had to go for it; null where the file was written as a whole, or deleted. */
  readonly removed: string | null;
  readonly added: string;
}

const editing: ReadonlySet<string> = new Set(writingTools.map(({ name }) => name));

/**
 * The text that a call wrote, file by file, by its input and by the answer of its tool; nothing where it was refused.
 */
export function fileWrites({ call, result }: CallWithResult): FileWrite[] {
  if (!editing.has(call.toolName) || hasFailed(result)) return [];
  const { path, patch, content, old_text, new_text, old_name, new_name } = textsOf(call.input);
  if (patch !== undefined) return patch.split(/^(?=\*\*\* (?:Add|Update|Delete) File: )/m).flatMap(writesOfPart);
  const paths = path === undefined ? writtenPaths(resultText(result)) : [path];
  const removed = old_text ?? old_name ?? null;
  const added = new_text ?? new_name ?? content ?? '';
  return paths.map((one) => ({ path: plainPath(one), removed, added }));
}

/** The text that the part of a patch wrote to one file. A file that moves counts under both its names. */
function writesOfPart(part: string): FileWrite[] {
  const lines = part.split('\n');
  const textOf = (sign: string) =>
    lines.flatMap((line) => (line.startsWith(sign) ? [line.slice(sign.length)] : [])).join('\n');
  const removed = part.startsWith('*** Update') ? textOf('-') : null;
  return pathsOfPatch(part).map((path) => ({ path: plainPath(path), removed, added: textOf('+') }));
}

type Texts = Readonly<Partial<Record<string, string>>>;

function textsOf(input: unknown): Texts {
  const members = typeof input === 'object' && input !== null ? Object.entries(input) : [];
  return Object.fromEntries(members.filter(([, value]) => typeof value === 'string'));
}
