import { type FocusEvent, useState, useSyncExternalStore } from 'react';
import { Button } from '../ui/button.tsx';
import { TextArea } from '../ui/field.tsx';
import { leaveOnEscape } from '../ui/leave-on-escape.ts';
import hidden from '../ui/visually-hidden.module.css';
import type { RemarkTarget } from './compose-guidance.ts';
import styles from './gate.module.css';
import { useRemarkStore } from './remarking.ts';

interface RemarkFieldProps {
  readonly target: RemarkTarget;
  /** What the remark is on, e.g. `step 2`. */
  readonly on: string;
}

/** A button that opens a field for a remark on one part of the plan. */
export function RemarkField({ target, on }: RemarkFieldProps) {
  const store = useRemarkStore();
  const text = useSyncExternalStore(store.subscribe, () => store.all()[target] ?? '');
  const [isOpen, setOpen] = useState(false);
  if (!isOpen && text === '') {
    return (
      <Button tone="quiet" className={styles.remark} onClick={() => setOpen(true)}>
        Remark <span className={hidden.hidden}>on {on}</span>
      </Button>
    );
  }
  const closeEmpty = ({ currentTarget }: FocusEvent<HTMLTextAreaElement>) => {
    if (currentTarget.value.trim() === '') setOpen(false);
  };
  const remove = () => {
    store.set(target, '');
    setOpen(false);
  };
  return (
    <div className={styles.remarkOpen}>
      <TextArea
        label={`Remark on ${on}`}
        rows={2}
        dir="auto"
        value={text}
        autoFocus={isOpen}
        onChange={({ target: { value } }) => store.set(target, value)}
        onBlur={closeEmpty}
        onKeyDown={leaveOnEscape}
      />
      <Button tone="quiet" className={styles.remark} onClick={remove}>
        Remove <span className={hidden.hidden}>the remark on {on}</span>
      </Button>
    </div>
  );
}
