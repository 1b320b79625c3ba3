import { FILE_HEADERS_ONLY, formatPatch } from 'diff';
import { writeCodeSpan } from './code-span.ts';
import type { EditForm } from './edit-operation.ts';

/**
 * An operation in the form in which `readEditForms` reads it back to the letter. A plan's steps hold these, so that
 * what a person approves is the operation itself, and the coder carries out what was approved and nothing else.
 */
export function writeEditForm(form: EditForm): string {
  switch (form.kind) {
    case 'write':
      return block(languageOf(form.path), form.content, form.path);
    case 'replace': {
      const verb = form.all ? 'replace all' : 'replace';
      if (`${form.from}${form.to}`.includes('\n')) {
        const text = (content: string) => block('', `${content}\n`);
        return `in ${writeCodeSpan(form.path)} ${verb}\n${text(form.from)}\nwith\n${text(form.to)}`;
      }
      return `in ${writeCodeSpan(form.path)} ${verb} ${writeCodeSpan(form.from)} with ${writeCodeSpan(form.to)}`;
    }
    case 'patch':
      return block('diff', formatPatch(form.patch, FILE_HEADERS_ONLY));
    case 'refused':
      return form.source;
  }
}

/** In a fence that nothing inside can close. */
function block(language: string, content: string, path?: string): string {
  const mark = path?.includes('`') ? '~' : '`';
  const longest = Math.max(2, ...[...content.matchAll(/`+|~+/g)].map(([run]) => run.length));
  const fence = mark.repeat(longest + 1);
  const word = /^\w{1,12}$/.test(language) ? language : '';
  const file = path === undefined ? '' : ` file=${quoted(path)}`;
  return `${fence}${`${word}${file}`.trim()}\n${content}${fence}`;
}

function quoted(path: string): string {
  if (!/\s|^["']/.test(path)) return path;
  return path.includes('"') ? `'${path}'` : `"${path}"`;
}

/** The extension, for colour; never one that would make the block a diff. */
function languageOf(path: string): string {
  const extension = path.split('.').at(-1) ?? '';
  return /^(?:diff|patch)$/i.test(extension) ? '' : extension;
}
