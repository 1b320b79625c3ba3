import type { ComponentProps } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.ts';

export interface ButtonProps extends ComponentProps<'button'> {
  readonly tone?: 'primary' | 'plain' | 'danger' | 'quiet' | undefined;
  /** The action is running: the button stays focusable and does nothing. */
  readonly busy?: boolean | undefined;
}

export function Button({ tone = 'plain', busy = false, className, onClick, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(tone, className)}
      aria-disabled={busy || rest.disabled ? true : undefined}
      aria-busy={busy ? true : undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {children}
    </button>
  );
}

/** The look of a button, for links that lead to an action. */
export function buttonClass(tone: NonNullable<ButtonProps['tone']> = 'plain', className?: string): string {
  return classNames(styles.button, styles[tone], className);
}
