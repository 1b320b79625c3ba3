import { lazy, Suspense, useId, useState } from 'react';
import { isMissingPart } from '../session/error-text.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import styles from './open-dialog.module.css';

// What is opened now and then loads when it is opened first.
const dialogs = {
  palette: lazy(async () => ({ default: (await import('./palette.tsx')).Palette })),
  shortcuts: lazy(async () => ({ default: (await import('./shortcuts-dialog.tsx')).ShortcutsDialog })),
  notifications: lazy(async () => ({ default: (await import('./notifications-dialog.tsx')).NotificationsDialog })),
};
export type DialogName = keyof typeof dialogs;

/** The dialog of this name. One that was open once stays there, closed: it gives the focus back. */
export function OpenDialog({ name, onClose }: { readonly name: DialogName | null; readonly onClose: () => void }) {
  const [last, setLast] = useState(name);
  if (name !== null && name !== last) setLast(name);
  if (last === null) return null;
  const Opened = dialogs[last];
  const forget = () => {
    setLast(null);
    onClose();
  };
  return (
    <ErrorBoundary
      key={last}
      fallback={(error, reset) => <DialogFault error={error} onRetry={reset} onClose={forget} />}
    >
      <Suspense>
        <Opened isOpen={name === last} onClose={onClose} />
      </Suspense>
    </ErrorBoundary>
  );
}

interface DialogFaultProps {
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly onClose: () => void;
}

/**
 * A dialog that failed to draw or to load. It is the browser's own, because the parts of ours are loaded with it. A part
 * that did not load is asked for again by another page alone.
 */
function DialogFault({ error, onRetry, onClose }: DialogFaultProps) {
  const title = useId();
  return (
    <dialog ref={openModal} className={styles.fault} aria-labelledby={title} onClose={onClose}>
      <h2 id={title}>This did not open</h2>
      <ErrorNotice error={error} onRetry={isMissingPart(error) ? () => location.reload() : onRetry} />
      <Button onClick={({ currentTarget }) => currentTarget.closest('dialog')?.close()}>Close</Button>
    </dialog>
  );
}

function openModal(dialog: HTMLDialogElement | null): void {
  if (dialog !== null && !dialog.open) dialog.showModal();
}
