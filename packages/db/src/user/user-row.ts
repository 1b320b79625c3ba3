import type { User } from '@sluice/core/account';
import { storableText } from '@sluice/core/text';
import type { Tables } from '../schema/schema.ts';

/**
 * The key under which e-mail addresses are equal. Normalised first, because the same letters can be encoded in two
 * ways.
 */
export function emailKey(email: string): string {
  return storableText(email).normalize('NFC').toLowerCase();
}

export function toUser({
  emailKey: _,
  disabledAt: __,
  preferences: ___,
  deletedAt: ____,
  ...user
}: Tables['users']['$inferSelect']): User {
  return user;
}
