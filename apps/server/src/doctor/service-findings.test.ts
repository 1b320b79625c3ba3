import { startMailServer } from '@sluice/testing';
import { expect, it } from 'vitest';
import { mailFinding } from './service-findings.ts';

const from = { name: 'Sluice', address: 'sluice@example.com' };
const findingOf = (url: string) => mailFinding({ allowHosts: [], smtp: { url, from } });

it('says what is missing without a mail server, which is not a problem', async () => {
  expect(await mailFinding({ allowHosts: [], smtp: null })).toMatchObject({
    state: 'ok',
    detail: expect.stringContaining('SMTP_URL'),
  });
});

it('logs in to the mail server, sends nothing, and shows no password', async () => {
  await using server = await startMailServer();
  const { host } = new URL(server.url);
  expect(await findingOf(server.url)).toEqual({
    subject: 'mail server',
    state: 'ok',
    detail: `smtp://${host} answers`,
    fix: null,
  });
  const refused = await findingOf(`smtp://sluice:canary@${host}`);
  expect(refused).toMatchObject({ state: 'problem', fix: expect.stringContaining('SMTP_URL') });
  expect(refused.detail).toContain('Invalid login');
  expect(JSON.stringify(refused)).not.toContain('canary');
  expect(server.mails).toEqual([]);
});

it('reports a mail server that does not answer', async () => {
  expect(await findingOf('smtp://127.0.0.1:2')).toMatchObject({
    state: 'problem',
    detail: expect.stringContaining('smtp://127.0.0.1:2 does not answer as it should'),
  });
});
