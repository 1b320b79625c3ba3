import { stripAnsi } from '../format/ansi.ts';
import type { LogSection } from './log-book.ts';

/** A line that was found. */
export interface LogHit {
  readonly section: number;
  readonly line: number;
}

/** Finds the lines with a text in the whole log, piece by piece: take steps until it is done. Colours are passed over. */
export function* searchLog(sections: readonly LogSection[], pattern: RegExp, hits: LogHit[]): Generator<void, void> {
  for (const { id: section, lines } of sections) {
    for (const { first, text } of lines.pieces()) {
      const plain = stripAnsi(text);
      let line = first;
      let lineStart = 0;
      for (const { index } of plain.matchAll(pattern)) {
        for (let end = plain.indexOf('\n', lineStart); end >= 0 && end < index; end = plain.indexOf('\n', lineStart)) {
          line += 1;
          lineStart = end + 1;
        }
        const last = hits.at(-1);
        if (last?.section !== section || last.line !== line) hits.push({ section, line });
      }
      yield;
    }
  }
}
