import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './field.module.css';

interface FieldFrame {
  readonly label: string;
  /** What the field is for, where the label does not say it. */
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}

export function TextField({ label, hint, error, ...input }: FieldFrame & ComponentProps<'input'>) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <input {...input} id={id} className={styles.input} {...described(id, { hint, error })} />
    </Frame>
  );
}

export function TextArea({ label, hint, error, ...input }: FieldFrame & ComponentProps<'textarea'>) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <textarea {...input} id={id} className={styles.input} {...described(id, { hint, error })} />
    </Frame>
  );
}

export function SelectField({ label, hint, error, children, ...input }: FieldFrame & ComponentProps<'select'>) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <select {...input} id={id} className={styles.input} {...described(id, { hint, error })}>
        {children}
      </select>
    </Frame>
  );
}

export function CheckField({ label, hint, error, ...input }: FieldFrame & ComponentProps<'input'>) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.check} htmlFor={id}>
        <input {...input} type="checkbox" id={id} {...described(id, { hint, error })} /> {label}
      </label>
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

function Frame({ id, label, children, ...notes }: FieldFrame & { id: string; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {children}
      <Notes id={id} {...notes} />
    </div>
  );
}

function Notes({ id, hint, error }: Pick<FieldFrame, 'hint' | 'error'> & { id: string }) {
  return (
    <>
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </>
  );
}

function described(id: string, { hint, error }: Pick<FieldFrame, 'hint' | 'error'>) {
  const parts = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean);
  return {
    'aria-describedby': parts.length === 0 ? undefined : parts.join(' '),
    'aria-invalid': error === undefined ? undefined : (true as const),
  };
}
