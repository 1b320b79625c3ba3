import { expect, it } from 'vitest';
import { exitCode } from '../terminal/exit-code.ts';
import { callApi } from './call-api.ts';

it.each([
  ['has no body', { path: 'issues', method: 'get' }, { input: 'body.json' }],
  ['is none of the methods', { path: 'issues', method: 'TRACE' }, {}],
  ['must be name: value, in ASCII', { path: 'issues' }, { header: ['Note: 5 €'] }],
])('refuses what no request can be, because it %s', async (sentence, call, options) => {
  await expect(callApi(call, { url: 'http://127.0.0.1:1', ...options })).rejects.toMatchObject({
    code: exitCode.usage,
    message: expect.stringContaining(sentence),
  });
});
