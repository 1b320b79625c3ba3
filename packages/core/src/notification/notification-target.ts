import type { EncryptedToken, TokenCipher, TokenOwner } from '../account/token-cipher.ts';
import type { RepoId, UserId } from '../id/id.ts';
import type { NotificationKind } from './notification-catalog.ts';

export const notificationChannels = ['webhook', 'email'] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

/** The bodies that a webhook can be sent: Standard Webhooks, or what a chat expects. */
export const notificationFormats = ['standard', 'slack', 'mattermost', 'matrix', 'discord', 'ntfy'] as const;
export type NotificationFormat = (typeof notificationFormats)[number];

export const notificationBounds = {
  /** Targets of one user. */
  targets: 20,
  /** Characters. */
  url: 2_000,
  description: 200,
  /** Secrets of one target that sign at the same time. */
  secrets: 3,
  /** Deliveries that one request replays. */
  replayed: 1_000,
} as const;

/** How long the secrets that a new one replaces still sign, so that a receiver can change over. */
export const OLD_SECRET_MS = 86_400_000;

/**
 * The target of a user's notifications: a webhook, or the e-mail address of their account as it is when one is sent.
 */
export interface NotificationTarget {
  readonly id: string;
  readonly userId: UserId;
  readonly channel: NotificationChannel;
  /** Null for `email`. */
  readonly url: StoredUrl | null;
  /** `standard` for `email`, which has its own. */
  readonly format: NotificationFormat;
  readonly events: readonly NotificationKind[];
  /** Null: of all repositories. */
  readonly repoId: RepoId | null;
  readonly description: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** When the first failed attempt since the last success was made; null after a success. */
  readonly failingSince: Date | null;
  /** Nothing is sent while it is disabled. */
  readonly disabledAt: Date | null;
  readonly disabledReason: string | null;
}

/**
 * The URL of a webhook as it is stored: encrypted, because who knows that of a chat can write to it. Plain where an earlier
 * release stored it. Opened for its user and to send, and never logged.
 */
export type StoredUrl = EncryptedToken | string;

export interface NewNotificationTarget
  extends Pick<NotificationTarget, 'id' | 'userId' | 'channel' | 'format' | 'events' | 'repoId' | 'description'> {
  readonly url: EncryptedToken | null;
}

/** Absent members stay as they are. */
export interface NotificationTargetPatch {
  readonly url?: EncryptedToken | undefined;
  readonly format?: NotificationFormat | undefined;
  readonly events?: readonly NotificationKind[] | undefined;
  readonly repoId?: RepoId | null | undefined;
  readonly description?: string | null | undefined;
  /** A reason disables the target, null enables it. */
  readonly disabledReason?: string | null | undefined;
}

/** A secret that signs the deliveries of a target. */
export interface NotificationSecret {
  readonly id: string;
  readonly encryptedToken: EncryptedToken;
  readonly createdAt: Date;
  /** Null for the newest one. */
  readonly expiresAt: Date | null;
}

/** The owner that a secret is bound to. */
export function notificationSecretOwner(userId: UserId, secretId: string): TokenOwner {
  return { kind: 'notification_secret', id: secretId, userId };
}

type UrlOwner = Pick<NotificationTarget, 'id' | 'userId'>;

/** The URL of a target as it is stored. */
export function sealUrl(cipher: TokenCipher, target: UrlOwner, url: string): EncryptedToken {
  return cipher.encrypt(notificationUrlOwner(target), url);
}

/** The plain URL of a target; null for `email`, and where its key is lost. */
export function openUrl(cipher: TokenCipher, target: UrlOwner & Pick<NotificationTarget, 'url'>): string | null {
  if (target.url === null || typeof target.url === 'string') return target.url;
  try {
    return cipher.decrypt(notificationUrlOwner(target), target.url);
  } catch {
    return null; // the cipher has reported it to the operator
  }
}

function notificationUrlOwner({ id, userId }: UrlOwner): TokenOwner {
  return { kind: 'notification_url', id, userId };
}
