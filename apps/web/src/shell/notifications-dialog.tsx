import { askForNotifications, useNotificationState } from '../browser/notification-permission.ts';
import { notificationHelp, notificationWords } from '../session/notification-words.ts';
import { useChangePreferences, usePreferences } from '../session/preferences.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';

interface NotificationsDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Turns notifications on and off, and says what the browser thinks of it. */
export function NotificationsDialog({ isOpen, onClose }: NotificationsDialogProps) {
  const permission = useNotificationState();
  const { notifications: isWanted } = usePreferences();
  const change = useChangePreferences();
  const turnOn = async () => {
    if ((await askForNotifications()) === 'granted') change.mutate({ notifications: true });
  };
  const canTurnOn = permission === 'granted' || permission === 'default';
  return (
    <Dialog
      title="Notifications"
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          {isWanted && (
            <Button busy={change.isPending} onClick={() => change.mutate({ notifications: false })}>
              Turn off
            </Button>
          )}
          {canTurnOn && !(isWanted && permission === 'granted') && (
            <Button tone="primary" busy={change.isPending} onClick={() => void turnOn()}>
              Turn on
            </Button>
          )}
        </>
      }
    >
      <p>The browser can tell you when a plan, a question, a change or a failure waits for you.</p>
      <p role="status">
        <strong>{notificationWords({ isWanted, permission })}</strong> {notificationHelp[permission]}
      </p>
      {change.isError && <ErrorNotice error={change.error} />}
    </Dialog>
  );
}
