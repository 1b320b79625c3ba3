import type { ChatFormat, Escape, Lines } from './chat-formats.ts';
import type { NotificationText } from './notification-text.ts';

const PLACEHOLDER = /\{\{(\w+)\}\}/g;

const htmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const toEntity = (sign: string) => htmlEntities[sign] ?? sign;

const escapes: Readonly<Record<Escape, (text: string) => string>> = {
  code: withoutBackticks,
  slackCode: (text) => withoutBackticks(text).replaceAll(/[&<>]/g, toEntity),
  html: (text) => text.replaceAll(/[&<>"']/g, toEntity),
  plain: (text) => text,
};

/** A backtick would end the code span in which the text stands. */
function withoutBackticks(text: string): string {
  return text.replaceAll('`', "'");
}

/** Renders lines with a text's members in their placeholders. */
export function renderLines(
  { lines, separator, escape: how }: Lines,
  members: Readonly<Record<string, string>>,
): string {
  const isWhole = (line: string) => [...line.matchAll(PLACEHOLDER)].every(([, name = '']) => members[name] !== '');
  const filled = (line: string) => line.replaceAll(PLACEHOLDER, (_, name: string) => escapes[how](members[name] ?? ''));
  return lines.filter(isWhole).map(filled).join(separator);
}

/** Renders what a chat is sent. JSON is built from values, so no text can end a string in it. */
export function renderChat(
  format: ChatFormat,
  text: NotificationText,
): { readonly body: string; readonly headers: Record<string, string> } {
  const texts = Object.fromEntries(
    Object.entries(format.texts).map(([name, lines]) => [name, renderLines(lines, { ...text })] as const),
  );
  const headers = Object.entries(format.headers).map(([name, value]) => [name, value.replace('{{url}}', text.url)]);
  return {
    headers: Object.fromEntries(headers),
    body: typeof format.body === 'string' ? (texts[format.body] ?? '') : JSON.stringify(format.body, fill),
  };

  function fill(_key: string, value: unknown): unknown {
    const [, name] = typeof value === 'string' ? (/^\{\{(\w+)\}\}$/.exec(value) ?? []) : [];
    return name === undefined ? value : texts[name];
  }
}
