import { expect, it } from 'vitest';
import { readInvitation } from './link-token.ts';

it('reads the token and the e-mail of the link of an invitation', () => {
  expect(readInvitation('#invitation=abc-_1&email=ada%2Bx%40example.com')).toEqual({
    token: 'abc-_1',
    email: 'ada+x@example.com',
  });
});

it.each(['', '#', '#section', '#invitation=&email=ada%40example.com'])('finds none in %j', (fragment) => {
  expect(readInvitation(fragment)).toBeNull();
});
