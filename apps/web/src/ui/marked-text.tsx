import { findParts } from '../format/search-pattern.ts';
import { visibleText } from '../format/visible-text.ts';
import styles from './marked-text.module.css';

/** Untrusted text, with what the reader searches for marked. */
export function MarkedText({ text, pattern }: { readonly text: string; readonly pattern: RegExp | null }) {
  if (pattern === null) return visibleText(text);
  return findParts(text, pattern).map((part, index) =>
    part.isFound ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
      <mark key={index} className={styles.mark}>
        {visibleText(part.text)}
      </mark>
    ) : (
      visibleText(part.text)
    ),
  );
}
