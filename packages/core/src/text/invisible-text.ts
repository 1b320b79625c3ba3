/**
 * Characters that take up no space on a page and that no writing system needs: people do not see them, models do.
 * Characters that belong to an emoji or to the spelling of a word do not count.
 */

/** Kinds of invisible characters, with their names in messages. */
export const invisibleKinds = {
  tag: 'Unicode tag characters',
  selector: 'variation selectors',
  direction: 'characters that turn the direction of writing',
  zero_width: 'zero-width characters',
  control: 'control characters',
} as const;
export type InvisibleKind = keyof typeof invisibleKinds;

/** Invisible characters of one kind in a row; offsets in UTF-16 units. */
export interface InvisibleRun {
  readonly kind: InvisibleKind;
  readonly start: number;
  readonly end: number;
}

const CONTROL = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f';
/** The characters that Unicode defines as invisible, and others that are drawn as nothing: U+2800 and annotation marks. */
const INVISIBLE = `[\\p{Default_Ignorable_Code_Point}\\u2800\\ufff9-\\ufffb${CONTROL}]`;

const picture = '\\p{Extended_Pictographic}[\\ufe0e\\ufe0f\\p{Emoji_Modifier}]?';
/** Scripts that use joiners between letters to spell words. */
const joined = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu'],
  ...['Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'],
];
const letter = `[${joined.map((script) => `\\p{Script=${script}}`).join('')}]`;
const rightful = [
  // The flags of England, Scotland and Wales: the only ones that are spelled with tags.
  '\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}',
  `${picture}(?:\\u200d${picture})*`,
  '[0-9#*]\\ufe0f\\u20e3',
  '\\p{Script=Mongolian}[\\u180b-\\u180d\\u180f]',
  // Names use the first few variants of a letter. Allowing all 240 would encode a byte per letter.
  '\\p{Script=Han}[\\u{e0100}-\\u{e010f}]',
  `(?<=${letter})[\\u200c\\u200d](?=${letter})`,
].join('|');

const code = 'U\\+[0-9A-F]{4,6}(?:×[0-9]{1,6})?';
const spelled = `⟦\\\\*${code}(?: ${code})*⟧`;
const scanner = new RegExp(`(?:${rightful})|(?<invisible>${INVISIBLE}+)`, 'gu');
const revealer = new RegExp(`(?:${rightful})|(?<invisible>${INVISIBLE}+)|(?<spelled>${spelled})`, 'gu');
const concealer = new RegExp(spelled, 'gu');

/** The runs of invisible characters in a text, in order. */
export function invisibleRuns(text: string): InvisibleRun[] {
  return [...text.matchAll(scanner)].flatMap(({ groups, index }) => byKind(groups?.invisible ?? '', index));
}

/**
 * The text with its invisible characters spelled out: `⟦U+200B⟧`, several as `⟦U+200B×3 U+2060⟧`. Text that
 * already looks like this gets a backslash, so that `concealInvisible` restores the exact text.
 */
export function revealInvisible(text: string): string {
  return text.replace(revealer, (match, ...rest) => {
    const groups: { invisible?: string; spelled?: string } = rest.at(-1);
    if (groups.invisible !== undefined) return `⟦${spellOut(groups.invisible)}⟧`;
    return groups.spelled === undefined ? match : match.replace('⟦', '⟦\\');
  });
}

/** Undoes `revealInvisible`. */
export function concealInvisible(revealed: string): string {
  return revealed.replace(concealer, (match) =>
    match.startsWith('⟦\\') ? match.replace('⟦\\', '⟦') : readSpelled(match.slice(1, -1)),
  );
}

/** The text that a run encodes, or null: tags encode ASCII, variation selectors encode bytes. */
export function decodeInvisible(kind: InvisibleKind, run: string): string | null {
  const points = [...run].map((character) => character.codePointAt(0) ?? 0);
  if (kind === 'tag') {
    const ascii = points.filter((point) => point >= 0xe0020 && point < 0xe007f);
    return ascii.length === 0 ? null : String.fromCodePoint(...ascii.map((point) => point - 0xe0000));
  }
  if (kind !== 'selector' || points.length < 2) return null;
  const bytes = points.map((point) => (point >= 0xe0100 ? point - 0xe0100 + 16 : point - 0xfe00));
  return bytes.every((byte) => byte >= 0 && byte < 256) ? new TextDecoder().decode(Uint8Array.from(bytes)) : null;
}

function byKind(run: string, at: number): InvisibleRun[] {
  const runs: InvisibleRun[] = [];
  let start = at;
  for (const character of run) {
    const kind = kindOf(character.codePointAt(0) ?? 0);
    const end = start + character.length;
    const last = runs.at(-1);
    if (last?.kind === kind) runs[runs.length - 1] = { ...last, end };
    else runs.push({ kind, start, end });
    start = end;
  }
  return runs;
}

function kindOf(point: number): InvisibleKind {
  const within = (...ranges: [number, number][]) => ranges.some(([first, last]) => point >= first && point <= last);
  if (within([0xe0000, 0xe007f])) return 'tag';
  if (within([0xfe00, 0xfe0f], [0xe0100, 0xe01ef])) return 'selector';
  if (within([0x61c, 0x61c], [0x200e, 0x200f], [0x202a, 0x202e], [0x2066, 0x2069])) return 'direction';
  return within([0, 0x1f], [0x7f, 0x9f]) ? 'control' : 'zero_width';
}

function spellOut(run: string): string {
  const counted: { character: string; count: number }[] = [];
  for (const character of run) {
    const last = counted.at(-1);
    if (last?.character === character && last.count < 999_999) last.count += 1;
    else counted.push({ character, count: 1 });
  }
  return counted
    .map(({ character, count }) => {
      const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      return `U+${hex}${count === 1 ? '' : `×${count}`}`;
    })
    .join(' ');
}

function readSpelled(codes: string): string {
  return codes
    .split(' ')
    .map((one) => {
      const [point = '', count = '1'] = one.slice(2).split('×');
      return String.fromCodePoint(Math.min(Number.parseInt(point, 16), 0x10ffff)).repeat(Number(count));
    })
    .join('');
}
