import { useBlocker } from '@tanstack/react-router';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** Asks before a page is left with unsaved changes; a change of the address within the page is no leaving. */
export function LeaveGuard({ isOn }: { readonly isOn: boolean }) {
  const { status, next, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next: to }) => isOn && current.pathname !== to.pathname,
    enableBeforeUnload: isOn,
    withResolver: true,
  });
  const isExpired = next?.pathname === '/login';
  return (
    <Dialog
      title="Leave without saving?"
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
      <p>
        {isExpired
          ? 'Your session has expired, so nothing can be saved now. Copy what you changed before you log in again.'
          : 'This page has changes that are not saved. They are lost when you leave it.'}
      </p>
    </Dialog>
  );
}
