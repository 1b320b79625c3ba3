import { readCodeSpan } from './code-span.ts';
import type { EditForm } from './edit-operation.ts';
import { editPath } from './edit-path.ts';
import type { MarkdownBlock } from './markdown-blocks.ts';

/** Reads a line ``in `PATH` replace `OLD` with `NEW` `` (or `replace all`); null when the line is no such thing. */
export function readReplaceForm(line: string): EditForm | null {
  const start = /^(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:\[[ xX]\]\s+)?in\s+(?=`)/i.exec(line)?.[0];
  if (start === undefined) return null;
  const path = readCodeSpan(line.slice(start.length));
  const verb = path && /^,?\s+replace(\s+all)?\s+(?=`)/i.exec(path.rest);
  if (!path || !verb) return null;
  const from = readCodeSpan(path.rest.slice(verb[0].length));
  const joint = from && /^,?\s+with\s+(?=`)/i.exec(from.rest)?.[0];
  if (!from || joint === undefined || joint === null) return null;
  const to = readCodeSpan(from.rest.slice(joint.length));
  if (to === null) return null;

  const refused = (reason: string): EditForm => ({ kind: 'refused', source: line, reason });
  if (!/^[.;,]?$/.test(to.rest.trim()))
    return refused(
      `the line goes on after the new text: "${to.rest.trim()}". Write each replacement on a line of its own, and nothing behind it`,
    );
  return replacement({
    source: line,
    path: path.content,
    from: from.content,
    to: to.content,
    all: verb[1] !== undefined,
  });
}

/**
 * Reads the form for text of several lines: a line ``in `PATH` replace`` (or `replace all`), a block, a line `with`, a block.
 * Null when the four are no such thing.
 */
export function readBlockReplacement([head, old, joint, fresh]: readonly MarkdownBlock[]): EditForm | null {
  if (head?.kind !== 'line' || old?.kind !== 'fence' || joint?.kind !== 'line' || fresh?.kind !== 'fence') return null;
  const start = /^in\s+(?=`)/i.exec(head.text)?.[0];
  const path = start === undefined ? null : readCodeSpan(head.text.slice(start.length));
  const verb = path === null ? null : /^,?\s+replace(\s+all)?:?$/i.exec(path.rest);
  if (path === null || verb === null || !/^with:?$/i.test(joint.text)) return null;
  const source = [head.text, old.source, joint.text, fresh.source].join('\n');
  if (!old.closed || !fresh.closed)
    return { kind: 'refused', source, reason: 'the block is not closed: its end may be missing' };
  const textOf = (content: string) => content.replace(/\n$/, '');
  return replacement({
    source,
    path: path.content,
    from: textOf(old.content),
    to: textOf(fresh.content),
    all: verb[1] !== undefined,
  });
}

interface Replacement {
  readonly source: string;
  readonly path: string;
  readonly from: string;
  readonly to: string;
  readonly all: boolean;
}

function replacement({ source, path, from, to, all }: Replacement): EditForm {
  const refused = (reason: string): EditForm => ({ kind: 'refused', source, reason });
  const checked = editPath(path);
  if (!checked.ok) return refused(checked.reason);
  if (from === '') return refused('the text to replace is empty');
  if (from === to) return refused('the old and the new text are the same');
  return { kind: 'replace', path: checked.path, from, to, all };
}
