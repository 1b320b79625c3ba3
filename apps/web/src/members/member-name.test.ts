import type { Member } from '@sluice/client';
import { expect, it } from 'vitest';
import { memberName } from './member-name.ts';

const member = { user_id: '0198a1b2-0000-7000-8000-0000d8a39853', name: null, email: null, codehost_login: null };

it('calls a member by their name, else their e-mail, else their login, else the end of their id', () => {
  const called = (more: Partial<Member>) => memberName({ ...(member as Member), ...more });
  expect(called({ name: 'Ada', email: 'ada@example.com' })).toBe('Ada');
  expect(called({ name: '', email: 'ada@example.com', codehost_login: 'ada-l' })).toBe('ada@example.com');
  expect(called({ codehost_login: 'ada-l' })).toBe('ada-l');
  expect(called({})).toBe('member …d8a39853');
});
