import { readCodeSpan } from './code-span.ts';
import type { EditForm } from './edit-operation.ts';
import { editPath } from './edit-path.ts';

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
  if (!/^[.;,]?$/.test(to.rest.trim())) return refused(`the line goes on after the new text: "${to.rest.trim()}"`);
  const checked = editPath(path.content);
  if (!checked.ok) return refused(checked.reason);
  if (from.content === '') return refused('the text to replace is empty');
  if (from.content === to.content) return refused('the old and the new text are the same');
  return { kind: 'replace', path: checked.path, from: from.content, to: to.content, all: verb[1] !== undefined };
}
