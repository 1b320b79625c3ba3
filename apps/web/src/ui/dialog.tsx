import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** The row of buttons. */
  readonly actions?: ReactNode;
  readonly wide?: boolean;
}

/** A modal dialog. Escape and the backdrop close it; the focus returns to where it was. */
export function Dialog({ title, isOpen, onClose, children, actions, wide = false }: DialogProps) {
  return (
    <BaseDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={styles.backdrop} />
        <BaseDialog.Popup className={styles.popup} data-wide={wide ? '' : undefined}>
          <BaseDialog.Title className={styles.title}>{title}</BaseDialog.Title>
          {children}
          {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
