import type { FormEvent, ReactNode } from 'react';
import styles from './form.module.css';

interface FormProps {
  /** Tells it from another form of the page that has the same fields. */
  readonly label?: string | undefined;
  /** Called with what the named fields hold. */
  readonly onSubmit: (data: FormData, form: HTMLFormElement) => void;
  readonly children: ReactNode;
}

/** A column of fields that the page itself sends. What is wrong with them is said by the server, field by field. */
export function Form({ label, onSubmit, children }: FormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget), event.currentTarget);
  };
  return (
    <form className={styles.form} aria-label={label} onSubmit={submit} noValidate>
      {children}
    </form>
  );
}

/** The buttons of a form, and what is said beside them. */
export function FormActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

/** Text of a field without the spaces around it. */
export function fieldText(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
