import { readDiffForm } from './diff-form.ts';
import type { EditForm } from './edit-operation.ts';
import { editPath } from './edit-path.ts';
import { type FencedBlock, type MarkdownBlock, markdownBlocks } from './markdown-blocks.ts';
import { readBlockReplacement, readReplaceForm } from './replace-form.ts';

const MAX_FORMS = 300; // each is at least one turn, and every turn sends all earlier ones again

/**
 * The edits that a text spells out, in its order. These forms, and nothing that merely resembles them:
 *
 * 1. a fenced block whose language is `diff` or `patch`: a unified diff;
 * 2. a fenced block whose info string holds `file=PATH`: the whole content of that file;
 * 3. a line ``in `PATH` replace `OLD` with `NEW` `` or ``… replace all `OLD` with `NEW` ``: exact text. Text of several
 *    lines stands in two blocks: a line ``in `PATH` replace``, a block, a line `with`, a block.
 *
 * A form that is there but cannot be carried out exactly comes back as refused, with the reason: left out in silence,
 * a person would believe that it had been done.
 */
export function readEditForms(text: string): EditForm[] {
  const blocks = markdownBlocks(text);
  const forms: EditForm[] = [];
  for (let at = 0; at < blocks.length; ) {
    const { forms: found, used } = readFormAt(blocks, at);
    forms.push(...found);
    at += used;
  }
  if (forms.length <= MAX_FORMS) return forms;
  const reason = `there are ${forms.length} edits, and at most ${MAX_FORMS} are carried out: put those of a file into one`;
  return [{ kind: 'refused', source: text, reason }];
}

/** The forms that begin with the block at this place, and how many blocks belong to them: at least one. */
export function readFormAt(blocks: readonly MarkdownBlock[], at: number): { forms: EditForm[]; used: number } {
  const paired = readBlockReplacement(blocks.slice(at, at + 4));
  if (paired !== null) return { forms: [paired], used: 4 };
  const block = blocks[at];
  return { forms: block === undefined ? [] : readBlock(block), used: 1 };
}

function readBlock(block: MarkdownBlock): EditForm[] {
  if (block.kind === 'line') return [readReplaceForm(block.text) ?? []].flat();
  const isDiff = /^(?:diff|patch)(?:\s|$)/i.test(block.info);
  const fileForm = readFileForm(block);
  if (!isDiff && fileForm === null) return [];
  const refused = (reason: string): EditForm => ({ kind: 'refused', source: block.source, reason });
  if (!block.closed) return [refused('the block is not closed: its end may be missing')];
  if (isDiff && fileForm !== null) return [refused('the block is a diff and has file= as well: give one of the two')];
  return fileForm === null ? readDiffForm(block) : [fileForm];
}

/** Reads a block whose info string holds `file=PATH` (quoted where the path has spaces); null when it names none. */
function readFileForm({ info, content, source }: FencedBlock): EditForm | null {
  const match = /(?:^|\s)file=(?:"([^"]*)"|'([^']*)'|(\S*))/.exec(info);
  if (match === null) return null;
  const checked = editPath(match[1] ?? match[2] ?? match[3] ?? '');
  if (!checked.ok) return { kind: 'refused', source, reason: checked.reason };
  return { kind: 'write', path: checked.path, content };
}
