import * as z from 'zod';
import { defineTool, refusal } from './agent-tool.ts';
import { resultLimit } from './result-limit.ts';

const MAX_LISTED = 500; // a folder's worth; a whole large tree only costs the model its context

export const listFiles = defineTool({
  name: 'list_files',
  description: 'Lists the files below a folder, or all. Paths are relative to the root, in all tools.',
  input: z.strictObject({
    folder: z.string().optional(),
  }),
  effect: 'read',
  onReplay: 'rerun',
  async run(context, { folder }) {
    const { workspace } = context;
    const prefix = prefixOf(folder ?? '');
    const all = await workspace.files.list();
    const found = all.filter((path) => path.startsWith(prefix));
    if (found.length === 0)
      throw refusal(`There are no files in ${folder ?? 'the repository'}. Paths are relative to the root.`);
    const limit = resultLimit(context);
    const fits = found.length <= MAX_LISTED && found.join('\n').length <= limit;
    const entries = fits ? found : entriesIn(prefix, found);
    const shown = entries.slice(0, MAX_LISTED);
    while (shown.join('\n').length > limit) shown.length = Math.floor(shown.length * 0.9);
    const left = entries.length - shown.length;
    const note = left > 0 ? `\n… and ${left} more: give a folder, or use search_text or find_code.` : '';
    return `${shown.join('\n')}${note}`;
  },
});

/** What the paths in a folder begin with; '' for the root. */
function prefixOf(folder: string): string {
  const bare = folder.replace(/^(?:\.?\/)+|^\.$/, '').replace(/\/*$/, '');
  return bare === '' ? '' : `${bare}/`;
}

/** The entries of a folder itself: its files, and its folders with the number of files below them. */
function entriesIn(prefix: string, paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const end = path.indexOf('/', prefix.length);
    const entry = end < 0 ? path : path.slice(0, end + 1);
    counts.set(entry, (counts.get(entry) ?? 0) + 1);
  }
  return [...counts].map(([entry, count]) => (entry.endsWith('/') ? `${entry} (${count} files)` : entry));
}
