import { stripVTControlCharacters, styleText } from 'node:util';
import { wantsColour } from '../config.ts';

type Format = Parameters<typeof styleText>[0];

/** Colours text for one stream, or leaves it plain. */
export type Style = (format: Format, text: string) => string;

export function styleFor(stream: { isTTY?: boolean }): Style {
  return wantsColour(stream)
    ? (format, text) => styleText(format, text, { validateStream: false })
    : (_format, text) => text;
}

/**
 * Text from a repository or an issue, made safe for a terminal: without escape sequences and without control
 * characters other than line breaks and tabs, so that a hostile file cannot redraw what the person decides on.
 */
export function plainText(text: string): string {
  return stripVTControlCharacters(text).replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}
