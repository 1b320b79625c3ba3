import type { NotificationState } from '../browser/notification-permission.ts';

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

/** What the browser thinks of notifications, and what one can do about it. */
export const notificationHelp: Readonly<Record<NotificationState, string>> = {
  granted: 'This browser may show them while a tab of the console is open.',
  default: 'This browser asks you once whether it may show them.',
  denied: 'This browser blocks them. Allow them for this site in its settings, then come back.',
  unsupported: 'This browser shows none here: it needs the console to be served over HTTPS.',
};
