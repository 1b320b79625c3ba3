import { readFileSync } from 'node:fs';
import type { ChangedFile } from '@sluice/core/change';

/** A change of the corpus: the kind that must be found, `tampering` for any kind, or `honest`. */
export interface CorpusCase {
  readonly kind: string;
  readonly title: string;
  readonly planned: readonly string[];
  readonly files: readonly ChangedFile[];
}

/**
 * Reads a file of the corpus: a project (`==> path` and its text), then changes to it (`## kind | title`). A change has a
 * plan of its own, or the project's, and parts: `@@ path` with the old and the new lines around a line `=>`, `@@ new path`,
 * `@@ delete path` and `@@ move path path`.
 */
export function readCorpus(name: string): CorpusCase[] {
  const text = readFileSync(new URL(`./${name}.txt`, import.meta.url), 'utf8');
  const [head = '', ...cases] = text.split(/^## /m);
  const [intro = '', ...sections] = head.split(/^==> /m);
  const base = new Map(sections.map((section) => cutFirstLine(section.replace(/\n+$/, '\n'))));
  return cases.map((one) => {
    const [title, body] = cutFirstLine(one);
    const [kind = '', words = ''] = title.split(' | ', 2);
    const [start = '', ...parts] = body.split(/^@@ /m);
    return {
      kind,
      title: `${name}: ${words}`,
      planned: planIn(start) ?? planIn(intro) ?? [],
      files: changed(base, parts, title),
    };
  });
}

function cutFirstLine(text: string): [string, string] {
  const end = text.indexOf('\n');
  return end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)];
}

function planIn(text: string): string[] | undefined {
  return /^plan: (.*)$/m.exec(text)?.[1]?.split(', ');
}

function changed(base: ReadonlyMap<string, string>, parts: readonly string[], title: string): ChangedFile[] {
  const head = new Map(base);
  for (const part of parts) {
    const [line, text] = cutFirstLine(part);
    const [word = '', from = '', to = ''] = line.split(' ');
    if (word === 'new') head.set(from, text);
    else if (word === 'delete' || word === 'move') {
      const content = head.get(from);
      if (content === undefined) throw new Error(`${title}: there is no ${from}`);
      head.delete(from);
      if (word === 'move') head.set(to, content);
    } else head.set(word, edited(head.get(word) ?? '', text, title));
  }
  const paths = new Set([...base.keys(), ...head.keys()]);
  return [...paths]
    .filter((path) => base.get(path) !== head.get(path))
    .map((path) => ({ path, before: base.get(path) ?? null, after: head.get(path) ?? null }));
}

function edited(text: string, edit: string, title: string): string {
  const [old = '', now = ''] = `\n${edit}`.split(/\n=>(?:\n|$)/, 2);
  const from = old.slice(1);
  if (text.split(from).length !== 2) throw new Error(`${title}: not there once: ${from}`);
  return text.split(from).join(now.replace(/\n+$/, ''));
}
