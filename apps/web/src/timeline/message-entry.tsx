import { useContext } from 'react';
import { counted } from '../format/amounts.ts';
import { visibleText } from '../format/visible-text.ts';
import { LazyMarkdown } from '../markdown/lazy-markdown.tsx';
import { MarkedText } from '../ui/marked-text.tsx';
import { cutText } from './cut-text.ts';
import styles from './entry.module.css';
import type { EntryProps } from './entry-props.ts';
import { Mark } from './mark.tsx';
import { RowActionsContext } from './row-actions.ts';
import { RowFrame } from './row-frame.tsx';

const LINE = 110; // characters that fit beside the times on most screens
const FOLDED = { characters: 600, lines: 8 };
// Plain words need no renderer: most messages are a sentence, and thousands of them scroll by.
const MARKUP = /[*_`#[\]<>|~\\]|^\s*(?:[-+]|\d+\.)\s|https?:|\n\s*\n/m;

export function MessageEntry({ entry, since, isOpen }: EntryProps<'message'>) {
  const { toggle, pattern } = useContext(RowActionsContext);
  const { seq, at, agent, text, turn } = entry;
  const cut = cutText(text, FOLDED);
  const shown = isOpen ? text : cut;
  const isFolded = cut.length < text.length;
  const isLine = text.length <= LINE && !text.includes('\n') && !MARKUP.test(text);
  return (
    <RowFrame
      seq={seq}
      at={at}
      since={since}
      isOpen={isOpen}
      onToggle={isFolded ? () => toggle(seq, false) : undefined}
      mark={<Mark kind="message" label="Message" />}
      line={
        <>
          <bdi className={styles.who}>{visibleText(agent)}</bdi>{' '}
          {isLine && (
            <bdi>
              <MarkedText text={text} pattern={pattern} />
            </bdi>
          )}
          {isFolded && <span className={styles.soft}> {counted(text.length, 'character')}</span>}
        </>
      }
      meta={turn === null ? undefined : `turn ${turn}`}
    >
      {!isLine && (
        <div className={styles.text} dir="auto">
          {MARKUP.test(shown) ? (
            <LazyMarkdown text={shown} />
          ) : (
            <p>
              <MarkedText text={shown} pattern={pattern} />
            </p>
          )}
          {isFolded && !isOpen && <p className={styles.soft}>…</p>}
        </div>
      )}
    </RowFrame>
  );
}
