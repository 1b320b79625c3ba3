import * as z from 'zod';
import { defineTool, refusal } from './agent-tool.ts';
import { resultLimit } from './result-limit.ts';

export const readFile = defineTool({
  name: 'read_file',
  description: 'Reads a file, or some of its lines. The number and tab before each line are not part of it.',
  input: z.strictObject({
    path: z.string().min(1),
    start_line: z.int().min(1).optional(),
    end_line: z.int().min(1).optional(),
  }),
  effect: 'read',
  onReplay: 'rerun',
  async run(context, { path, start_line = 1, end_line = Number.MAX_SAFE_INTEGER }) {
    const limit = resultLimit(context);
    const text = await context.workspace.files.read(path);
    if (text === '') return `${path}: empty`;
    const ended = text.endsWith('\n');
    const lines = text.split('\n');
    if (ended) lines.pop();
    if (end_line < start_line) throw refusal('end_line is before start_line.');
    if (start_line > lines.length) throw refusal(`${path} has only ${lines.length} lines.`);
    const shown: string[] = [];
    let size = 0;
    for (const [index, line] of lines.slice(start_line - 1, end_line).entries()) {
      const numbered = `${start_line + index}\t${line}`;
      size += numbered.length + 1;
      if (size > limit) break;
      shown.push(numbered);
    }
    if (shown.length === 0) throw refusal(`Line ${start_line} of ${path} is longer than ${limit} characters.`);
    const last = start_line + shown.length - 1;
    const isCut = last < Math.min(end_line, lines.length);
    const note = last === lines.length && !ended ? ', no newline at the end' : '';
    const rest = isCut ? `\n… continue with start_line ${last + 1}.` : '';
    return `${path}: lines ${start_line}-${last} of ${lines.length}${note}\n${shown.join('\n')}${rest}`;
  },
});
