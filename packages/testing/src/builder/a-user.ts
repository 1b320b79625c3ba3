import type { NewUser, User } from '@sluice/core/account';
import type { Initiator } from '@sluice/core/audit';
import type { UserId } from '@sluice/core/id';
import { newId } from './ids.ts';

const CREATED = new Date('2026-11-20T09:15:00.000Z');

/** A user with a unique e-mail address. */
export function aUser(overrides: Partial<User> = {}): User {
  const id = overrides.id ?? newId<User['id']>();
  return {
    id,
    email: `user-${id}@example.test`,
    emailVerifiedAt: null,
    name: 'Ada',
    avatarUrl: null,
    codehostId: null,
    codehostLogin: null,
    isOperator: false,
    createdAt: CREATED,
    ...overrides,
  };
}

/** The input that registers a user with a unique e-mail address. */
export function aNewUser(overrides: Partial<NewUser> = {}): NewUser {
  const id = overrides.id ?? newId<User['id']>();
  return {
    id,
    email: `user-${id}@example.test`,
    name: 'Ada',
    passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g',
    onlyIfFirst: false,
    ...overrides,
  };
}

/** The initiator of a command: that user, outside any session. */
export function byUser(userId: UserId): Initiator {
  return { userId, actor: { kind: 'user', sessionId: null } };
}
