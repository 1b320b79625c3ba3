import type { ReactNode } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNotice } from './error-notice.tsx';

interface ConfirmDialogProps {
  /** The question, e.g. `Cancel this issue?`. */
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** What the action does, e.g. `Cancel the issue`. */
  readonly confirm: string;
  readonly onConfirm: () => void;
  readonly tone?: ButtonProps['tone'];
  readonly busy?: boolean;
  readonly error?: unknown;
  /** What will happen, and what is lost. */
  readonly children: ReactNode;
}

/** Asks before something that cannot be taken back. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, isOpen, onClose, confirm, onConfirm, tone = 'primary', busy, error = null, children } = props;
  const actions = (
    <>
      <Button onClick={onClose}>Back</Button>
      <Button tone={tone} busy={busy} onClick={onConfirm}>
        {confirm}
      </Button>
    </>
  );
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose} actions={actions}>
      {children}
      {error !== null && <ErrorNotice error={error} />}
    </Dialog>
  );
}
