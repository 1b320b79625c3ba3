import type { HostCall } from '../http/host-call.ts';
import type { HostState } from '../state/host-state.ts';

const PICTURE = /!\[([^\]\n]*)\]\(([^)\s]+)\)/g;

/**
 * The further forms of a text that a request asks for by its media type. The host's own files have signed addresses in the
 * rendered form; pictures of other sites come through its proxy, under another name.
 */
export function renderedText({ host, headers }: Pick<HostCall, 'host' | 'headers'>, text: string | null) {
  if (!/\bfull\+json\b/.test(headers.accept ?? '')) return {};
  return { body_html: text === null ? null : htmlOf(host, text), body_text: text };
}

function htmlOf(host: HostState, text: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const { 0: whole, 1: alt = '', 2: url = '', index } of text.matchAll(PICTURE)) {
    parts.push(escaped(text.slice(end, index)));
    const id = new RegExp(`^${RegExp.escape(host.webUrl)}/user-attachments/assets/([0-9a-f-]{36})$`).exec(url)?.[1];
    const signed = id === undefined ? null : host.files.signed(id);
    const source = escaped(signed ?? `https://camo.githubusercontent.com/${Buffer.from(url).toString('hex')}`);
    const canonical = signed === null ? ` data-canonical-src="${escaped(url)}"` : '';
    parts.push(
      `<a href="${source}"><img src="${source}" alt="${escaped(alt)}"${canonical} style="max-width: 100%;"></a>`,
    );
    end = index + whole.length;
  }
  return `<p dir="auto">${[...parts, escaped(text.slice(end))].join('')}</p>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
