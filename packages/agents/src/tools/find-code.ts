import type { CodeHit } from '@sluice/core/code-search';
import type { WorkspaceFiles } from '@sluice/core/workspace';
import * as z from 'zod';
import { defineTool } from './agent-tool.ts';
import { resultLimit } from './result-limit.ts';
import { shownHit } from './shown-hit.ts';
import { textOf } from './text-of.ts';

const DEFAULT_HITS = 8;

export const findCode = defineTool({
  name: 'find_code',
  description:
    'Finds functions, classes and other places by words that they or their comments may use, best first. For an exact text use search_text.',
  input: z.strictObject({
    query: z.string().min(1).max(1_000),
    limit: z.int().min(1).max(20).optional(),
  }),
  effect: 'read',
  onReplay: 'rerun',
  async run(context, { query, limit }) {
    const hits = await context.search(query, limit ?? DEFAULT_HITS);
    if (hits.length === 0) return 'Nothing was found. Try other words, search_text or list_files.';
    const shown: string[] = [];
    let left = resultLimit(context);
    for (const hit of hits) {
      const rendered = await currentHit(context.workspace.files, hit);
      left -= rendered.length + 2;
      if (left < 0 && shown.length > 0) break;
      shown.push(rendered);
    }
    return shown.join('\n\n');
  },
});

/** A hit as its file is now: the index is that of the base, and the tree may have been changed since. */
async function currentHit(files: Pick<WorkspaceFiles, 'read'>, hit: CodeHit): Promise<string> {
  const text = (await textOf(files, hit.path))?.replaceAll('\r\n', '\n') ?? null; // as the index has it
  if (text === null) return shownHit({ ...hit, text: '' }, { note: ' (deleted since it was indexed)' }).trimEnd();
  const at = text.indexOf(hit.text);
  if (at >= 0) {
    const linesOf = (part: string) => part.split('\n').length;
    const startLine = linesOf(text.slice(0, at));
    // Where the same text stands several times, its lines in the index are as good as any.
    if (text.indexOf(hit.text, at + 1) >= 0) return shownHit(hit);
    return shownHit({ ...hit, startLine, endLine: startLine + linesOf(hit.text.replace(/\n$/, '')) - 1 });
  }
  const now = text.split('\n').slice(hit.startLine - 1, hit.endLine);
  return shownHit(
    { ...hit, text: now.join('\n') },
    { note: ' (changed since it was indexed: these are its lines now)' },
  );
}
