import { useEffect, useState } from 'react';
import { classNames } from './class-names.ts';
import styles from './copy-button.module.css';
import icon from './icon-button.module.css';
import hidden from './visually-hidden.module.css';

const SHOWN_MS = 2_000;

interface CopyButtonProps {
  readonly text: () => string;
  /** The name of the copied text, for those who do not see the sign. */
  readonly label: string;
}

/** Copies a text. Where the browser refuses, over plain HTTP, it says so. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setOutcome('copied');
    } catch {
      setOutcome('refused');
    }
  };
  return (
    <button type="button" className={classNames(icon.icon, styles.copy)} onClick={() => void copy()} title={label}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
        {outcome === 'copied' ? <path d="M3.5 8.5l3 3 6-7" /> : <path d="M6 6h7.5v7.5H6zM10 6V2.5H2.5V10H6" />}
      </svg>
      <span className={hidden.hidden}>{label}</span>
      <span className={outcome === 'refused' ? styles.refused : hidden.hidden} role="status">
        {outcome === 'copied' && 'Copied'}
        {outcome === 'refused' && 'Not copied: the browser allows it over HTTPS only'}
      </span>
    </button>
  );
}
