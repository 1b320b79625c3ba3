import { expect, it } from 'vitest';
import { nextSteps } from './next-steps.ts';

const at = { url: 'http://127.0.0.1:3000', command: 'sluice', hasConsole: false };

it('begins with an account while there is none', () => {
  expect(nextSteps({ ...at, hasAccounts: false, registration: 'open' })).toBe(
    `  make an account       sluice login --url http://127.0.0.1:3000 --register
  read and try the API  http://127.0.0.1:3000/api/docs
  stop                  Ctrl-C
`,
  );
});

it('begins with the console where there is one', () => {
  expect(nextSteps({ ...at, hasConsole: true, hasAccounts: true, registration: 'closed' })).toBe(
    `  open in a browser  http://127.0.0.1:3000
  log in             sluice login --url http://127.0.0.1:3000
  stop               Ctrl-C
`,
  );
});

it.each([
  ['open', true, ['make an account', 'log in']],
  ['first-user', true, ['log in']],
  ['invite', true, ['log in']],
  ['invite', false, ['make an account']],
  ['first-user', null, ['make an account', 'log in']],
  ['closed', false, []],
] as const)('with registration %s and accounts %j offers %j', (registration, hasAccounts, offered) => {
  const text = nextSteps({ ...at, registration, hasAccounts });
  expect(['make an account', 'log in'].filter((step) => text.includes(`  ${step} `))).toEqual(offered);
});
