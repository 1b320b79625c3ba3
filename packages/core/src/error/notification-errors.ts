/** The part of the catalogue that is about notifications. */
export const notificationErrors = {
  notification_url_refused: { kind: 'invalid', retry: false, message: 'Notifications cannot be sent to this URL.' },
  unsubscribe_token_invalid: {
    kind: 'invalid',
    retry: false,
    message: 'This link is not valid or has expired. Log in to turn the e-mails off.',
  },
  notification_target_not_found: { kind: 'not_found', retry: false, message: 'There is no such notification target.' },
  delivery_not_found: { kind: 'not_found', retry: false, message: 'There is no such delivery.' },
  notification_targets_full: {
    kind: 'conflict',
    retry: false,
    message: 'You have as many notification targets as one user may have. Delete one first.',
  },
  notification_email_exists: {
    kind: 'conflict',
    retry: false,
    message: 'You have a notification target for your e-mail address already. Change that one.',
  },
  notification_target_disabled: {
    kind: 'conflict',
    retry: false,
    message: 'The notification target is disabled, so nothing is sent to it. Enable it first.',
  },
  notification_without_secret: {
    kind: 'conflict',
    retry: false,
    message: 'E-mails are not signed, so this notification target has no secret.',
  },
  delivery_pending: {
    kind: 'conflict',
    retry: false,
    message: 'The delivery has not ended: it is still being tried.',
  },
  email_not_configured: {
    kind: 'conflict',
    retry: false,
    message: 'This server sends no e-mail. Its operator can set SMTP_URL.',
  },
  account_without_email: {
    kind: 'conflict',
    retry: false,
    message: 'Your account has no e-mail address. Set one in the settings of the console.',
  },
} as const;
