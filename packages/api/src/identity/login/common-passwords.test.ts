import { describe, expect, it } from 'vitest';
import { commonPasswords } from './common-password-list.ts';
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
  ])('knows %s', async (password) => {
    expect(await isCommonPassword(password)).toBe(true);
  });

  it('knows what people make of well-known passwords and words', async () => {
    const tried = `
    password123 iloveyou1 qwerty123 football1 princess1 Passw0rd! abc12345 letmein123 P@ssw0rd1 Summer2024!
    zxcvbnm1 asdf1234 monkey123 trustno1 dragon123 liverpool1 arsenal1 chelsea1 computer1 michael1 internet
    samsung1 pokemon1 starwars1 whatever1 11111111 00000000 12344321 qwertyui 1qazxsw2 qazwsx123 jordan23
    hello123 charlie1 Password1! Aa123456! changeme1! Welcome1! Qwerty123! Admin@123 Pass@123 India@123
    Welcome@123 Abcd@1234 Password@1 P@$$w0rd qwerty12 q1w2e3r4 1234qwer zaq12wsx passw0rd1 baseball1 master123
    superman1 batman123 nirvana1 rush2112 scooter1 cowboys1 redsox04 yankees1 mustang1 phoenix1 cookie123
    tinkerbell barcelona1 hottie101 blink182 lovers123 babygirl1 matthew1 carolina1 kristina1 friends1
    spongebob1 softball1 fuckyou1 justinb1 onedirection jonasbrothers destiny1 brandon1 anthony1 hannah123
    linkedin linkedin1 google123 asd12345 aaa11111 Temp1234! Changeme123 Sluice123 sluice2024 Winter2025!
    Test@123 test1234! Secret123! hunter22 correcthorse letmein! 5201314520 woaini1314 147896325 1qaz@WSX
    !QAZ2wsx 1qaz!QAZ qwe123!@# 123456789a 123456abc
    `;
    const accepted = await Promise.all(
      tried
        .trim()
        .split(/\s+/)
        .map(async (password) => ((await isCommonPassword(password)) ? [] : [password])),
    );
    expect(accepted.flat()).toEqual([]);
  });

  it('knows every password of the published list that is long enough to be chosen, in whatever case', async () => {
    const chosen = [...commonPasswords].filter(({ length }) => length >= 8 && length <= 128);
    expect(chosen.length).toBeGreaterThan(3_000); // what ASVS 6.2.4 asks for
    for (const password of chosen) expect(await isCommonPassword(password.toUpperCase()), password).toBe(true);
  });

  it.each([
    'correct horse battery',
    'sunshine48213957',
    'Tr0ub4dor&3',
    'quiet-otter-42',
    'жизнь-как-чудо',
    'xkcd9367qz',
    'passwordless sign-in',
    'f7Kq2mZ9',
    'p@ssw0rd'.repeat(16),
    '\ufdfa'.repeat(128),
    '!'.repeat(63) + '1x'.repeat(32),
  ])('lets %s through', async (password) => {
    expect(await isCommonPassword(password)).toBe(false);
  });
});
