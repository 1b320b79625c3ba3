import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface LeaveGuardProps {
  readonly isOn: boolean;
  readonly title: string;
  /** The text about the loss. */
  readonly children: ReactNode;
  /** The same text, with what to do before, where the session has expired. */
  readonly whenExpired: ReactNode;
}

/** Asks before a page is left whose work is not done; a change of the address within the page is no leaving. */
export function LeaveGuard({ isOn, title, children, whenExpired }: LeaveGuardProps) {
  const { status, next, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next: to }) => isOn && current.pathname !== to.pathname,
    enableBeforeUnload: isOn,
    withResolver: true,
  });
  const isExpired = next?.pathname === '/login';
  return (
    <Dialog
      title={title}
      isOpen={status === 'blocked'}
      onClose={() => reset?.()}
      actions={
        <>
          <Button onClick={() => reset?.()}>Stay here</Button>
          <Button tone="danger" onClick={() => proceed?.()}>
            {isExpired ? 'Log in again' : 'Leave'}
          </Button>
        </>
      }
    >
      <p>{isExpired ? whenExpired : children}</p>
    </Dialog>
  );
}
