import type { User } from '@sluice/core';
import type { Tables } from '../schema/schema.ts';
import { storedText } from '../schema/stored-text.ts';

/** What is the same e-mail. Composed first: the same letters can be typed in two ways. */
export function emailKey(email: string): string {
  return storedText(email).normalize('NFC').toLowerCase();
}

export function toUser({ emailKey: _, disabledAt: __, ...user }: Tables['users']['$inferSelect']): User {
  return user;
}
