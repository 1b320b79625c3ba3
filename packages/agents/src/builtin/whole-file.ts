import type { ModelCall } from './model-move.ts';
import type { Transcript } from './read-prompt.ts';

export type WholeFile =
  | { readonly kind: 'call'; readonly call: ModelCall }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'error'; readonly error: string };

/** Reads a file to its end through `read_file`, a page at a time: the next call to make, or the text, or what is wrong. */
export function wholeFile({ results }: Transcript, callId: string, path: string): WholeFile {
  let text = '';
  for (let page = 1, line = 1; ; page += 1) {
    const id = `${callId}_${page}`;
    const result = results.get(id);
    if (result === undefined)
      return { kind: 'call', call: { id, tool: 'read_file', input: { path, start_line: line, numbers: true } } };
    if (!result.ok) return { kind: 'error', error: result.text };
    const [header = '', ...numbered] = result.text.split('\n');
    if (header.endsWith(': empty')) return { kind: 'text', text: '' };
    const [, last, total, unended] = /: lines \d+-(\d+) of (\d+)(, no newline at the end)?$/.exec(header) ?? [];
    if (last === undefined || total === undefined)
      return { kind: 'error', error: `read_file gave an answer of another shape: ${header}` };
    // Behind the lines of a page stands where to go on.
    const shown = numbered.slice(0, Number(last) - line + 1);
    text += shown.map((one) => `${one.slice(one.indexOf('\t') + 1)}\n`).join('');
    if (Number(last) >= Number(total)) return { kind: 'text', text: unended === undefined ? text : text.slice(0, -1) };
    line = Number(last) + 1;
  }
}
