import { type Notification, notificationFormats } from '@sluice/core/notification';
import { describe, expect, it } from 'vitest';
import { chatFormats } from './chat-formats.ts';
import { notificationText } from './notification-text.ts';
import { renderChat } from './render-chat.ts';

const url = 'https://sluice.test/issues/0198a1b2-0000-7000-8000-000000000001';
const formats = notificationFormats.filter((format) => format !== 'standard');

function aFailure(title: string, message = title): Notification {
  const issue_id = '0198a1b2-0000-7000-8000-000000000001';
  return {
    type: 'issue.failed',
    timestamp: '2026-11-20T09:15:00.000Z',
    data: {
      issue_id,
      title,
      repo: { id: issue_id, name: 'acme/sum' },
      status: 'failed',
      url,
      error: { stage: 'test', message },
    },
  };
}

const rendered = (format: (typeof formats)[number], notification: Notification) =>
  renderChat(chatFormats[format], notificationText(notification));
/** Every text in it. */
const textsOf = (body: string): string[] =>
  body.startsWith('{') ? Object.values(JSON.parse(body)).filter((value) => typeof value === 'string') : [body];

const hostile = [
  '@channel @here @everyone @all @room @ada',
  '<!channel> <!here|here> <@U012AB3CD> <#C012AB3CD> <!subteam^S1>',
  '<@&123> <@123> @everyone',
  '[click](https://evil.test) <https://evil.test|click> https://evil.test www.evil.test',
  '` *bold* `@channel` ``` https://evil.test ```',
  '"}, {"text": "other"} \\" \\u0022 \\',
  '</code><a href="https://evil.test">x</a><img src=x onerror=alert(1)>',
  'two\nlines\r\nwebhook-id: forged\u2028three',
  '\u202egpj.exe \u200b@\u200bchannel \u2060https\u200b://evil.test',
  '{{url}} {{headline}} $& $1',
  '\ud800 lone, \0 nul, 🙂',
];

describe.each(formats)('the text for %s', (format) => {
  it('tells what happened, to what, why and where', () => {
    const { body } = rendered(format, aFailure('Fix the sum', 'The tests fail.'));
    const text = textsOf(body).join('\n');
    for (const part of ['An issue failed', 'Fix the sum', 'acme/sum', 'The tests fail.']) expect(text).toContain(part);
    const linked = format === 'ntfy' ? rendered(format, aFailure('x')).headers.click : text;
    expect(linked).toContain(url);
  });

  it('is for a test the headline and the link alone', () => {
    const data = { target_id: '0198a1b2-0000-7000-8000-000000000001', url: 'https://sluice.test/settings' };
    const { body } = rendered(format, { type: 'test', timestamp: '2026-11-20T09:15:00.000Z', data });
    expect(textsOf(body).join('\n')).toContain('A test of the notifications');
    expect(body).not.toContain('``');
    expect(body.replaceAll('Open in Sluice', '')).not.toContain(' in ');
  });

  it.each(hostile)('mentions nobody, links nothing and stays whole for %j', (title) => {
    const { body, headers } = rendered(format, aFailure(title));
    const plain = rendered(format, aFailure('x'));
    if (body.startsWith('{')) expect(Object.keys(JSON.parse(body))).toEqual(Object.keys(JSON.parse(plain.body)));
    expect(headers).toEqual(plain.headers);
    const [texts, usual] = [textsOf(body), textsOf(plain.body)];
    for (const [at, text] of texts.entries()) {
      const own = usual[at] ?? '';
      const ours = text.replaceAll(url, '');
      expect(ours).not.toMatch(/@[\p{L}\p{N}&!]/u);
      expect(ours).not.toMatch(/:\/\//);
      expect(ours).not.toMatch(/\bwww\./i);
      expect(text.split('\n').length).toBe(own.split('\n').length);
      if (format === 'slack') expect(ours.replace('<|Open in Sluice>', '')).not.toMatch(/[<>]/);
      if (format !== 'ntfy' && format !== 'matrix') expect(text.split('`').length).toBe(own.split('`').length);
      if (own.includes('<code>')) {
        const tags = (html: string) => html.match(/<[^>]*>/g);
        expect(tags(text)).toEqual(tags(own));
      }
    }
  });
});
