import type { UserId } from '../id/id.ts';
import type { AttemptResult } from './delivery.ts';
import type { Notification } from './notification-catalog.ts';
import type { NotificationFormat } from './notification-target.ts';

/** A notification with where it goes. */
export interface OutgoingNotification {
  readonly messageId: string;
  readonly notification: Notification;
  /** The user whose target it is. */
  readonly userId: UserId;
  readonly to:
    | {
        readonly channel: 'webhook';
        readonly url: string;
        readonly format: NotificationFormat;
        /** Plain, newest first: `whsec_…`. */
        readonly secrets: readonly string[];
      }
    | {
        readonly channel: 'email';
        readonly address: string;
        /** Turns these e-mails off, at one click. */
        readonly unsubscribeUrl: string;
      };
}

/** Sends notifications. Whatever goes wrong outside is a result, not an error. */
export interface NotificationSender {
  /** Whether e-mails can be sent. */
  readonly sendsEmail: boolean;
  /** @throws the signal's reason when it fires first */
  send(notification: OutgoingNotification, signal: AbortSignal): Promise<AttemptResult>;
  close(): Promise<void>;
}

/** Tokens for the link that turns one target's e-mails off. They prove nothing else. */
export interface UnsubscribeTokens {
  issue(targetId: string): string;
  /** The target, or null for a token that is forged or has expired. */
  read(token: string): string | null;
}
