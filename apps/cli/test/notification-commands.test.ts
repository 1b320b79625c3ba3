import { text } from 'node:stream/consumers';
import type { Delivery, NotificationTarget } from '@sluice/client';
import { serveOnLoopback, startMailServer, untilFound } from '@sluice/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { itConformsToOpenApi } from './it-conforms-to-openapi.ts';
import { type ProxiedService, startProxiedService } from './proxied-service.ts';
import { openTerminal, signUp, type Terminal } from './terminal.ts';

let terminal: Terminal;
let proxied: ProxiedService;
let mail: Awaited<ReturnType<typeof startMailServer>>;
let receiver: Awaited<ReturnType<typeof serveOnLoopback>>;
let status = 204;
const received: string[] = [];

beforeAll(async () => {
  terminal = await openTerminal();
  mail = await startMailServer();
  receiver = await serveOnLoopback(async (request, response) => {
    received.push(await text(request));
    response.writeHead(status).end();
  });
  proxied = await startProxiedService(terminal, {
    NOTIFY_ALLOW_HOSTS: new URL(receiver.origin).host,
    SMTP_URL: mail.url,
    SMTP_FROM: 'Sluice <sluice@example.com>',
  });
  await signUp(terminal, proxied.service, 'ada@example.com');
});

afterAll(async () => {
  await proxied?.[Symbol.asyncDispose]();
  terminal?.[Symbol.dispose]();
  await receiver?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
});

const notify = (...args: string[]) => terminal.sluice(['notifications', ...args]);
const deliveries = async (...args: string[]) =>
  (await terminal.json<{ items: Delivery[] }>(['notifications', 'deliveries', ...args])).items;

it('adds a webhook, prints its secret once, and tests it', async () => {
  const added = await notify('add', `${receiver.origin}/hook`, '--format', 'ntfy', '--description', 'my phone');
  expect(added.code, added.stderr).toBe(0);
  expect(added.stdout).toMatch(/^Target {2,}\S+\nDescription {2}my phone\n[\s\S]*\nSecret {2,}whsec_\S+$/m);
  expect(added.stderr).toMatch(/^The secret is shown only once: a chat does not need it\. .* test [0-9a-f]{8}$/m);
  const tested = await notify('test', 'my phone');
  expect([tested.code, tested.stdout]).toEqual([0, expect.stringMatching(/^Delivered in \d+ ms\.\n$/)]);
  expect(received).toEqual(['A test of the notifications of Sluice']);
  const shown = await terminal.json(['notify', 'show', 'my phone']);
  expect(shown).toMatchObject({ format: 'ntfy', url: `${receiver.origin}/hook`, enabled: true });
  expect(JSON.stringify(shown)).not.toContain('whsec_');
});

it('says why a test failed, and lists and replays what was sent', async () => {
  status = 500;
  const failed = await notify('test', 'my phone');
  expect([failed.code, failed.stdout]).toEqual([1, '']);
  expect(failed.stderr).toContain('The test failed: The receiver answered 500. The next attempt is at 2');
  expect((await notify('list')).stdout).toMatch(/^\S+\tfails\tntfy\tmy phone\tgate\.opened /);
  status = 204;
  const id = (await deliveries('my phone', '--status', 'delivered')).at(-1)?.id ?? '';
  expect((await notify('replay', 'my phone', id.slice(-8))).stdout).toBe('1 delivery is sent again.\n');
  const again = await untilFound(async () =>
    (await deliveries('my phone', '--status', 'delivered')).find(({ replay_of }) => replay_of === id),
  );
  expect(again).toMatchObject({ message_id: `msg_${id}`, notification: { type: 'test' } });
  const range = await notify('replay', 'my phone', '--from', '2026-01-01', '--until', '2026-01-02T08:00');
  expect(range.stdout).toBe('0 deliveries are sent again.\n');
  const backwards = ['--from', '2026-01-02', '--until', '2026-01-01'];
  for (const wrong of [
    [],
    ['--from', 'yesterday'],
    [id, '--from', '2026-01-01'],
    backwards,
    ['--from', '2999-01-01'],
  ]) {
    expect((await notify('replay', 'my phone', ...wrong)).code, wrong.join(' ')).toBe(2);
  }
  const unknown = await notify('replay', 'my phone', 'ffffff0f');
  expect(unknown.code).toBe(4);
  expect((await terminal.sluice(unknown.stderr.trim().split('sluice ')[1]?.split(' ') ?? [])).stdout).toContain(id);
});

it('edits, disables, enables and removes a webhook', async () => {
  const edited = await terminal.json<NotificationTarget>([
    ...['notifications', 'edit', 'my phone', '--events', 'issue.failed', 'gate.opened', '--description', 'phone'],
  ]);
  expect(edited).toMatchObject({ events: ['issue.failed', 'gate.opened'], description: 'phone', format: 'ntfy' });
  expect((await notify('edit', 'phone', '--disable')).stdout).toMatch(/State {2,}disabled \S+: You disabled it\.$/m);
  expect((await notify('test', 'phone')).code).toBe(5);
  expect((await notify('edit', 'phone', '--enable')).stdout).toMatch(/State {2,}works$/m);
  expect((await notify('rotate-secret', 'phone', '--expire-old-now')).stdout).toMatch(/^whsec_\S+\n$/);
  expect((await notify('edit', 'phone')).code).toBe(2);
  expect((await notify('edit', 'phone', '--enable', '--disable')).stderr).toContain(
    'Pass either --enable or --disable.',
  );
  const unknown = await notify('edit', 'phone', '--events', 'issue.fialed');
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('Unknown event issue.fialed.')]);
  expect((await notify('remove', 'phone')).code).toBe(2);
  expect((await notify('remove', 'phone', '--yes')).code).toBe(0);
  expect((await notify('show', 'phone')).code).toBe(4);
});

it('turns e-mails on and off, as their own link does', async () => {
  expect((await notify('email', 'off')).stderr).toBe('The e-mails are off already.\n');
  const early = await notify('test', 'email');
  expect([early.code, early.stderr]).toEqual([
    4,
    expect.stringMatching(/^sluice: You get no e-mails\. .* email on\n$/),
  ]);
  expect(await terminal.json(['notifications', 'email', 'on'])).toMatchObject({ channel: 'email', enabled: true });
  expect((await notify('test', 'email')).code).toBe(0);
  const link =
    /^List-Unsubscribe: <(.*)>$/m.exec(
      await untilFound(async () => mail.mails.find((one) => one.includes('List-Unsubscribe'))),
    )?.[1] ?? '';
  expect((await fetch(link)).status).toBe(200);
  const off = await fetch(link, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
  expect([off.status, await off.text()]).toEqual([200, 'The e-mails are off.\n']);
  expect((await notify('show', 'email')).stdout).toContain('You unsubscribed by the link in an e-mail.');
  expect(await terminal.json(['notify', 'email', 'on', '--events', 'issue.failed'])).toMatchObject({
    enabled: true,
    events: ['issue.failed'],
  });
  expect(await terminal.json(['notify', 'email', 'off'])).toMatchObject({ enabled: false });
});

it('is refused a private address with the reason', async () => {
  const refused = await notify('add', 'https://10.0.0.5/hook');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('it has an address that is not public');
});

itConformsToOpenApi(() => proxied.proxy);
