import type { NotificationState } from '../session/notification-permission.ts';

/** Whether notifications come: the user wants them and the browser allows them. */
export function notificationWords({
  isWanted,
  permission,
}: {
  isWanted: boolean;
  permission: NotificationState;
}): string {
  if (!isWanted) return 'Notifications are off.';
  return permission === 'granted' ? 'Notifications are on.' : 'Notifications are on, but this browser shows none.';
}
