import {
  askForNotifications,
  type NotificationState,
  useNotificationState,
} from '../session/notification-permission.ts';
import { useChangePreferences, usePreferences } from '../session/preferences.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { notificationWords } from './notification-words.ts';

interface NotificationsDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const helps: Readonly<Record<NotificationState, string>> = {
  granted: 'This browser may show them.',
  default: 'This browser asks you once whether it may show them.',
  denied: 'This browser blocks them. Allow them for this site in its settings, then come back.',
  unsupported: 'This browser shows none here: it needs the console to be served over HTTPS.',
};

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
      <p>
        The browser can tell you when a plan, a question, a change or a failure waits for you, while a tab of the
        console is open.
      </p>
      <p role="status">
        <strong>{notificationWords({ isWanted, permission })}</strong> {helps[permission]}
      </p>
      {change.isError && <ErrorNotice error={change.error} />}
    </Dialog>
  );
}
