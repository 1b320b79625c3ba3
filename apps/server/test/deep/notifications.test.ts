import { startMailServer, untilFound } from '@sluice/testing';
import { expect, it } from 'vitest';
import { anIssue } from '../an-issue.ts';
import { signUp } from '../http-session.ts';
import { startScratchServer } from '../scratch-server.ts';

// Usual way: apps/server/test/notifications.test.ts

const TARGETS = '/api/notifications/targets';

interface Target {
  readonly id: string;
  readonly secret: string;
}

it('an e-mail tells of a gate, and its own header turns the e-mails off at one click', async () => {
  await using mail = await startMailServer();
  await using server = await startScratchServer({
    SMTP_URL: mail.url,
    SMTP_FROM: 'Sluice <sluice@example.com>',
    PUBLIC_URL: 'http://sluice.test',
  });
  const person = await signUp(server.url);
  const made = await person.call<Target>('POST', TARGETS, { channel: 'email' });
  expect(made.status).toBe(201);
  const first = await anIssue(person);
  await person.reaches(first.id, 'awaiting_approval');
  const sent = await untilFound(async () => mail.mails.find((one) => one.includes('List-Unsubscribe')));
  expect(sent).toContain('Subject: A plan awaits your decision: The value is broken');
  expect(sent).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  const link = new URL(/^List-Unsubscribe: <(.*)>$/m.exec(sent)?.[1] ?? '');
  expect(link.origin).toBe('http://sluice.test');
  const click = (init: RequestInit) => fetch(`${server.url}${link.pathname}${link.search}`, init);
  const enabled = async () =>
    (await person.call<{ enabled: boolean }>('GET', `${TARGETS}/${made.body.id}`)).body.enabled;

  const page = await click({ headers: { accept: 'text/html' } });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Turn the e-mails off')]);
  expect(await enabled()).toBe(true);
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  for (const origin of ['https://mail.example', 'null']) {
    expect((await click({ method: 'POST', body, headers: { origin } })).status).toBe(200);
    expect(await enabled()).toBe(false);
  }
  const second = await anIssue(person);
  await person.reaches(second.id, 'awaiting_approval');
  const list = await person.call<{ items: unknown[] }>('GET', `${TARGETS}/${made.body.id}/deliveries`);
  const ofGates = mail.mails.filter((one) => one.includes('List-Unsubscribe'));
  expect([list.body.items.length, ofGates.length]).toEqual([1, 1]);
});
