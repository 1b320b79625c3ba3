export { createAccountMailer } from './create-account-mailer.ts';
export { createNotificationSender, type SenderOptions } from './create-notification-sender.ts';
export type { WebhookRules } from './post-webhook.ts';
export { checkMailServer, type SmtpSettings } from './smtp-mailer.ts';
export { createUnsubscribeTokens } from './unsubscribe-tokens.ts';
export { newSigningSecret } from './webhook-signature.ts';
