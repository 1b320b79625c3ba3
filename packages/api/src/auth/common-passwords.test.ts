import { describe, expect, it } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';

describe('isCommonPassword', () => {
  it.each([
    'password',
    'Password1',
    'PASSWORD2024',
    'p@ssw0rd',
    '12345678',
    '87654321',
    '1234567890',
    'qwertyuiop',
    'poiuytrewq',
    'asdfghjkl',
    '1q2w3e4r',
    'abcdefgh',
    'aaaaaaaa',
    'abcabcabc',
    '12121212',
    'iloveyou',
    'sunshine1',
    'welcome123',
    'ｐａｓｓｗｏｒｄ',
  ])('knows %s', (password) => {
    expect(isCommonPassword(password)).toBe(true);
  });

  it.each([
    'correct horse battery',
    'sunshine48213957',
    'Tr0ub4dor&3',
    'quiet-otter-42',
    'жизнь-как-чудо',
    'xkcd9367qz',
    'passwordless sign-in',
  ])('lets %s through', (password) => {
    expect(isCommonPassword(password)).toBe(false);
  });
});
