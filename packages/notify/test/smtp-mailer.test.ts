import type { AddressInfo } from 'node:net';
import type { OutgoingNotification } from '@sluice/core/notification';
import { freePort, localHosts, newId, startMailServer as startLoginServer } from '@sluice/testing';
import { SMTPServer } from 'smtp-server';
import { describe, expect, it } from 'vitest';
import { createNotificationSender } from '../src/create-notification-sender.ts';

const never = new AbortController().signal;
const unsubscribeUrl = 'https://sluice.test/api/notifications/unsubscribe?token=a.1.b';

interface Mail {
  readonly from: string | false;
  readonly to: readonly string[];
  readonly text: string;
}

function senderBy(url: string) {
  return createNotificationSender({
    allowHosts: [],
    hosts: localHosts,
    smtp: { url, from: { name: 'Sluice', address: 'sluice@example.test' } },
    clock: { now: () => new Date() },
    userAgent: 'sluice/test',
  });
}

function anEmail(title: string, address: string): OutgoingNotification {
  return {
    messageId: 'msg_1',
    userId: newId(),
    notification: {
      type: 'gate.opened',
      timestamp: '2026-11-20T09:15:00.000Z',
      data: {
        issue_id: '0198a1b2-0000-7000-8000-000000000001',
        title,
        repo: { id: '0198a1b2-0000-7000-8000-000000000002', name: 'acme/sum' },
        status: 'awaiting_approval',
        url: 'https://sluice.test/issues/1',
        revision: 1,
        expires_at: null,
      },
    },
    to: { channel: 'email', address, unsubscribeUrl },
  };
}

/** A mail server that takes what `refuse` does not object to. */
async function startMailServer(refuse: (to: string) => Error | null = () => null) {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) => done(refuse(address)),
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? false : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        mails.push({ from, to, text: Buffer.concat(chunks).toString() });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const sender = senderBy(`smtp://127.0.0.1:${port}`);
  return {
    mails,
    url: `smtp://127.0.0.1:${port}`,
    send: (title: string, address = 'ada@example.test') => sender.send(anEmail(title, address), never),
    async [Symbol.asyncDispose]() {
      await sender.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** The headers by name, unfolded, and the rest. */
function partsOf(text: string) {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  return { headers: lines.map((line) => line.split(': ')[0]?.toLowerCase()), lines, body: rest.join('\n\n') };
}

describe('an e-mail', () => {
  it('says what is wanted, and how to turn it off at one click', async () => {
    await using server = await startMailServer();
    expect(await server.send('Fix the sum')).toMatchObject({ kind: 'accepted', status: 250 });
    const [mail] = server.mails;
    expect(mail).toMatchObject({ from: 'sluice@example.test', to: ['ada@example.test'] });
    const { lines, body } = partsOf(mail?.text ?? '');
    expect(lines).toEqual(
      expect.arrayContaining([
        'From: Sluice <sluice@example.test>',
        'To: ada@example.test',
        'Subject: A plan awaits your decision: Fix the sum',
        'Message-ID: <msg_1@example.test>',
        'Auto-Submitted: auto-generated',
        `List-Unsubscribe: <${unsubscribeUrl}>`,
        'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
      ]),
    );
    expect(body).toContain('Fix the sum in acme/sum');
    expect(body).toContain('https://sluice.test/issues/1');
  });

  it('shows a title as text, and lets it add no header, recipient or link', async () => {
    await using server = await startMailServer();
    const title = 'x\r\nBcc: eve@example.test\r\n\r\n<img src=x> "é" @ada https://evil.test';
    await server.send(title);
    const [mail] = server.mails;
    const usual = await server.send('x').then(() => partsOf(server.mails[1]?.text ?? ''));
    const { headers, body } = partsOf(mail?.text ?? '');
    expect(mail?.to).toEqual(['ada@example.test']);
    expect(headers).toEqual(usual.headers);
    expect(body.replaceAll('=\r\n', '')).not.toContain('https://evil.test');
    const [, html = ''] = body.split('Content-Type: text/html');
    expect(html).toContain('&lt;img');
    expect(html).not.toContain('<img');
  });

  it('takes no address that holds another, or a header', async () => {
    await using server = await startMailServer();
    for (const address of ['ada@example.test, eve@example.test', 'ada@example.test\r\nBcc: eve@example.test'])
      await server.send('x', address);
    expect(server.mails.flatMap(({ to }) => to)).not.toContain('eve@example.test');
    for (const { text } of server.mails) expect(partsOf(text).headers).not.toContain('bcc');
  });

  it('is the last one to an address that the server refuses for good, and tried again when it is busy', async () => {
    const answers: Record<string, number> = { 'gone@example.test': 550, 'busy@example.test': 450 };
    const refuse = (to: string) =>
      answers[to] === undefined ? null : Object.assign(new Error('no'), { responseCode: answers[to] });
    const server = await startMailServer(refuse);
    expect(await server.send('x', 'gone@example.test')).toMatchObject({
      status: 550,
      retry: 'gone',
      reason: expect.stringMatching(/^The mail server refuses the address of your account: 550 .*no/),
    });
    expect(await server.send('x', 'busy@example.test')).toMatchObject({
      status: 450,
      retry: 'later',
      reason: expect.stringMatching(/^The mail server did not take the e-mail: 450/),
    });
    await server[Symbol.asyncDispose]();
  });

  it('is not sent in the clear where the URL requires TLS', async () => {
    await using server = await startMailServer();
    const sender = senderBy(`${server.url}?requireTLS=true`);
    expect(await sender.send(anEmail('x', 'ada@example.test'), never)).toMatchObject({
      kind: 'refused',
      retry: 'later',
    });
    await sender.close();
    expect(server.mails).toEqual([]);
    expect(await server.send('x')).toMatchObject({ kind: 'accepted' });
  });

  it('tells its user neither where the mail server is nor how Sluice logs in', async () => {
    await using server = await startLoginServer();
    const wrong = new URL(server.url);
    wrong.password = 'hunter2';
    const reasons = {
      [`smtp://127.0.0.1:${await freePort()}`]: 'The mail server of this installation could not be reached.',
      [wrong.href]: 'The mail server of this installation refused the login of Sluice.',
    };
    for (const [url, reason] of Object.entries(reasons)) {
      const sender = senderBy(url);
      expect(await sender.send(anEmail('x', 'ada@example.test'), never)).toMatchObject({
        retry: 'later',
        reason,
        latencyMs: null, // no fault of the target
      });
      await sender.close();
    }
  });

  it('is given up alone when the server refuses what Sluice may do, whatever the address', async () => {
    const answers = ['554 5.7.1 Relay access denied', '530 5.7.0 Authentication required', '503 MAIL first'];
    const refuse = (to: string) => {
      const [code = '', ...text] = answers[Number(to[0])]?.split(' ') ?? [];
      return Object.assign(new Error(text.join(' ')), { responseCode: Number(code) });
    };
    await using server = await startMailServer(refuse);
    for (const at of answers.keys()) {
      expect(await server.send('x', `${at}@example.test`)).toMatchObject({ kind: 'refused', retry: 'never' });
    }
  });
});
