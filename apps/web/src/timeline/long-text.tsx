import { useId, useState } from 'react';
import { counted } from '../format/amounts.ts';
import { visibleText } from '../format/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { TerminalText } from '../ui/terminal-text.tsx';
import { cutText } from './cut-text.ts';
import styles from './entry.module.css';

const SHOWN = { characters: 4_000, lines: 60 };

interface LongTextProps {
  readonly label: string;
  readonly text: string;
  readonly pattern: RegExp | null;
}

/** Untrusted text as it is, in a box of its own, under a label that may be untrusted too; a long one is cut, with a way to see all. */
export function LongText({ label, text, pattern }: LongTextProps) {
  const id = useId();
  const [isWhole, setWhole] = useState(false);
  const cut = cutText(text, SHOWN);
  return (
    <div>
      <p id={id} className={styles.label}>
        {visibleText(label)}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={styles.box} tabIndex={0} aria-labelledby={id}>
        {text === '' ? (
          <span className={styles.soft}>empty</span>
        ) : (
          <TerminalText text={isWhole ? text : cut} pattern={pattern} />
        )}
      </section>
      {cut.length < text.length && !isWhole && (
        <Button tone="quiet" onClick={() => setWhole(true)}>
          Show all {counted(text.length, 'character')}
        </Button>
      )}
    </div>
  );
}
