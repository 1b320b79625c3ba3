import { type KeyboardEvent, type Ref, useId } from 'react';
import { Button } from './button.tsx';
import styles from './step-search.module.css';
import hidden from './visually-hidden.module.css';

interface StepSearchProps {
  readonly label: string;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  /** How many matches there are and which one is shown, in words; null: nothing is searched for. */
  readonly found: string | null;
  readonly hasMatch: boolean;
  /** It may be asked before the search has followed the typing. */
  readonly onStep: (by: 1 | -1) => void;
  readonly ref?: Ref<HTMLInputElement> | undefined;
}

/** A search whose matches one steps through, by Enter and Shift+Enter or by buttons. */
export function StepSearch({ label, query, onQuery, found, hasMatch, onStep, ref }: StepSearchProps) {
  const id = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    onStep(event.shiftKey ? -1 : 1);
  };
  return (
    <search className={styles.search}>
      <label htmlFor={id} className={hidden.hidden}>
        {label}
      </label>
      <input
        id={id}
        ref={ref}
        type="search"
        className={styles.field}
        placeholder={label}
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <Step by={-1} name="Previous match" keys="Shift+Enter" {...{ hasMatch, onStep }} />
      <Step by={1} name="Next match" keys="Enter" {...{ hasMatch, onStep }} />
      <span role="status" className={styles.found}>
        {found}
      </span>
    </search>
  );
}

interface StepProps extends Pick<StepSearchProps, 'hasMatch' | 'onStep'> {
  readonly by: 1 | -1;
  readonly name: string;
  readonly keys: string;
}

function Step({ by, name, keys, hasMatch, onStep }: StepProps) {
  return (
    <Button
      tone="quiet"
      className={styles.step}
      disabled={!hasMatch}
      aria-label={name}
      title={`${name} (${keys})`}
      onClick={() => onStep(by)}
    >
      {by === 1 ? '↓' : '↑'}
    </Button>
  );
}
