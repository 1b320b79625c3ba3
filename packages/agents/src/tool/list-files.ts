import * as z from 'zod';
import { defineTool, refusal } from './agent-tool.ts';

const MAX_LISTED = 500; // about 20 KB: a folder's worth; a whole large tree only costs the model its context

export const listFiles = defineTool({
  name: 'list_files',
  description:
    'Lists the files of the repository, relative to its root, sorted. Give a folder to list only what lies in it.',
  input: z.strictObject({
    folder: z.string().optional().describe('Folder relative to the root, e.g. "src". Leave out for all.'),
  }),
  effect: 'read',
  onReplay: 'rerun',
  async run({ workspace }, { folder }) {
    const prefix = (folder ?? '').replace(/^(?:\.?\/)+|^\.$/, '').replace(/\/*$/, '/');
    const all = await workspace.files.list();
    const found = prefix === '/' ? all : all.filter((path) => path.startsWith(prefix));
    if (found.length === 0)
      throw refusal(`There are no files in ${folder ?? 'the repository'}. Paths are relative to the root.`);
    const shown = found.slice(0, MAX_LISTED).join('\n');
    return found.length > MAX_LISTED ? `${shown}\n… and ${found.length - MAX_LISTED} more: name a folder.` : shown;
  },
});
