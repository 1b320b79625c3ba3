import { styleText } from 'node:util';
import { wantsColour } from './environment.ts';

type Format = Parameters<typeof styleText>[0];

/** Colours text for one stream, or leaves it plain. */
export type Style = (format: Format, text: string) => string;

export const withoutColour: Style = (_format, text) => text;
export const withColour: Style = (format, text) => styleText(format, text, { validateStream: false });

export function styleFor(stream: { isTTY?: boolean }): Style {
  return wantsColour(stream) ? withColour : withoutColour;
}
