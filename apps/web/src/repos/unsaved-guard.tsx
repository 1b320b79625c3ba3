import { LeaveGuard } from '../ui/leave-guard.tsx';

/** Asks before a page is left with unsaved changes. */
export function UnsavedGuard({ isOn }: { readonly isOn: boolean }) {
  return (
    <LeaveGuard
      isOn={isOn}
      title="Leave without saving?"
      whenExpired="Your session has expired, so nothing can be saved now. Copy what you changed before you log in again."
    >
      This page has changes that are not saved. They are lost when you leave it.
    </LeaveGuard>
  );
}
