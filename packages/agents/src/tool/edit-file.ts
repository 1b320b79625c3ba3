import * as z from 'zod';
import { defineTool, refusal } from './agent-tool.ts';
import { nearMisses } from './near-misses.ts';

export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Replaces a piece of text in a file. old_text must be in the file exactly (spaces and line breaks count) and only once; give more of the lines around it to make it unique, or set replace_all.',
  input: z.strictObject({
    path: z.string().min(1).describe('Path relative to the repository root.'),
    old_text: z.string().min(1).describe('The text as it stands, without line numbers.'),
    new_text: z.string().describe('What comes in its place; may be empty.'),
    replace_all: z.boolean().optional().describe('Replace every occurrence.'),
  }),
  effect: 'write',
  // Where new_text holds old_text, a second run would edit the edit.
  onReplay: 'report',
  async run({ workspace }, { path, old_text, new_text, replace_all = false }) {
    if (old_text === new_text) throw refusal('old_text and new_text are the same: nothing to do.');
    const text = await workspace.files.read(path);
    const [from, to] = inLineEndingsOf(text, [old_text, new_text]);
    const pieces = text.split(from);
    const count = pieces.length - 1;
    if (count === 0) throw refusal(`old_text is not in ${path}.${nearMisses(text, old_text)}`);
    if (count > 1 && !replace_all) {
      throw refusal(
        `old_text is ${count} times in ${path}, at lines ${startLines(pieces, from)}. Give more of the lines around it, or set replace_all.`,
      );
    }
    await workspace.files.write(path, pieces.join(to));
    return count === 1 ? `Edited ${path}.` : `Edited ${path} in ${count} places.`;
  },
});

/** Models write line feeds; a file that has only CRLF is matched, and stays, with CRLF. */
function inLineEndingsOf(text: string, [from, to]: readonly [string, string]): readonly [string, string] {
  if (text.includes(from) || !text.includes('\r\n') || /(?<!\r)\n/.test(text)) return [from, to];
  return [from.replaceAll(/\r?\n/g, '\r\n'), to.replaceAll(/\r?\n/g, '\r\n')];
}

function startLines(pieces: readonly string[], separator: string): string {
  const newlinesIn = (text: string) => text.split('\n').length - 1;
  const lines: number[] = [];
  let line = 1;
  for (const piece of pieces.slice(0, -1)) {
    line += newlinesIn(piece);
    lines.push(line);
    line += newlinesIn(separator);
  }
  return lines.length > 10 ? `${lines.slice(0, 10).join(', ')} and more` : lines.join(', ');
}
