import { useSyncExternalStore } from 'react';

/** The browser's permission for notifications; `unsupported` also on a page that is not served over HTTPS. */
export type NotificationState = NotificationPermission | 'unsupported';

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('focus', listener); // the user may have changed it in the settings of the browser
  return () => {
    listeners.delete(listener);
    removeEventListener('focus', listener);
  };
}

function notificationState(): NotificationState {
  return 'Notification' in window && isSecureContext ? Notification.permission : 'unsupported';
}

export function useNotificationState(): NotificationState {
  return useSyncExternalStore(subscribe, notificationState);
}

/** Asks the user, where they have not answered yet. Only a click may call it: browsers refuse anything else. */
export async function askForNotifications(): Promise<NotificationState> {
  if (notificationState() === 'default') await Notification.requestPermission();
  for (const listener of listeners) listener();
  return notificationState();
}
