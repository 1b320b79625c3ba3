import { scrub } from '@sluice/core/text';
import { shortenEnd } from '../tools/shorten.ts';

const WORDS_CHARACTERS = 300; // a vendor's sentence, not a page of a proxy's
const READ_CHARACTERS = 2_000;
const ECHO_STEP = 8;
const ECHO_CHARACTERS = 24; // three words in common are no echo, names of models and tools are shorter

/** A message of a provider as one short line, without secrets and without the request that it quotes. */
export function vendorWords(message: string, sent: string, secrets: readonly string[]): string {
  // Secrets first: a cut through one would leave a half that nothing knows any more.
  const read = scrub(message.slice(0, 4 * READ_CHARACTERS), secrets).slice(0, READ_CHARACTERS);
  const line = withoutEcho(read, sent).replaceAll(/\s+/g, ' ').trim();
  return shortenEnd(line, WORDS_CHARACTERS);
}

/** Some servers answer a request that they refuse with the whole of it. */
function withoutEcho(message: string, sent: string): string {
  if (sent === '') return message;
  const kept: string[] = [];
  for (let at = 0; at < message.length; at += ECHO_STEP) {
    const window = message.slice(at, at + ECHO_CHARACTERS);
    const echo = window.length === ECHO_CHARACTERS && sent.includes(window);
    if (!echo) kept.push(message.slice(at, at + ECHO_STEP));
    else if (kept.at(-1) !== '…') kept.push('…');
  }
  return kept.join('');
}
