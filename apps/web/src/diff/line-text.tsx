import { memo, useState } from 'react';
import { formatCount } from '../format/amounts.ts';
import { visibleText } from '../format/visible-text.ts';
import { classNames } from '../ui/class-names.ts';
import { tokenGroups } from './highlight-lines.ts';
import { lineSegments } from './line-segments.ts';
import styles from './line-text.module.css';
import type { DiffLine } from './parse-patch.ts';
import { FIRST_CHARACTERS } from './row-heights.ts';
import type { LineMatches } from './use-diff-search.ts';
import type { Span } from './word-marks.ts';

const MORE_CHARACTERS = 20_000;

export interface LineTextProps {
  readonly line: DiffLine;
  readonly tokens: Int32Array | undefined;
  readonly marks: readonly Span[];
  readonly matches: LineMatches | undefined;
  /** The number of the match that the search is at. */
  readonly currentMatch: number | null;
}

/** The text of a line with its tokens, the words that differ, and the matches of the search. A long line is cut. */
export const LineText = memo(function LineText({ line, tokens, marks, matches, currentMatch }: LineTextProps) {
  const [limit, setLimit] = useState(FIRST_CHARACTERS);
  const { body, trail } = splitTrail(line);
  const shown = body.slice(0, limit);
  const rest = body.length - shown.length;
  const segments = lineSegments(shown, { tokens, marks, matches: matches?.spans });
  return (
    <>
      {segments.map(({ text, token, isMarked, match }, i) => {
        const group = token === null ? undefined : tokenGroups[token];
        const name = classNames(
          group !== undefined && styles[group],
          isMarked && styles.marked,
          match !== null && styles.match,
          match !== null && matches !== undefined && matches.first + match === currentMatch && styles.current,
        );
        return name === '' ? (
          visibleText(text)
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a segment is nothing but its place
          <span key={i} className={name}>
            {visibleText(text)}
          </span>
        );
      })}
      {rest > 0 && (
        <button type="button" className={styles.more} onClick={() => setLimit(limit + MORE_CHARACTERS)}>
          … {formatCount(rest)} more characters
        </button>
      )}
      {rest === 0 && trail !== '' && (
        <span className={styles.trail} title="Space at the end of the line">
          {trail.replaceAll(' ', '·').replaceAll('\t', '→').replaceAll('\r', '␍')}
        </span>
      )}
      {line.isUnended && (
        <span className={styles.unended} title="The file does not end with a line break">
          no line break at the end
        </span>
      )}
    </>
  );
});

/** Space at the end of a changed line is shown; a carriage return at the end of an unchanged one is of no interest. */
function splitTrail({ kind, text }: DiffLine): { body: string; trail: string } {
  const trail = (kind === 'same' ? /\r$/ : /[ \t\r]+$/).exec(text.slice(-FIRST_CHARACTERS))?.[0] ?? '';
  const body = text.slice(0, text.length - trail.length);
  return { body, trail: kind === 'same' ? '' : trail };
}
