// A variant of a common password has at most this much before and after it: `Summer2024!`, `!Admin@123`.
const DECORATION = /^[^\p{L}\d]{0,2}\d{0,4}[^\p{L}\d]{0,2}$/u;
const MAX_DECORATION_LENGTH = 8;
const MIN_WORD = 4; // a shorter word is too small a part of an eight-character password

const runs = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  '1qaz2wsx3edc4rfv5tgb',
];

/** Digits and signs that replace letters. `1` replaces two different ones, so there are two readings. */
const signs: Readonly<Record<string, string>> = { '@': 'a', 4: 'a', 3: 'e', 0: 'o', $: 's', 5: 's', 7: 't', '!': 'i' };
const readings = [
  { ...signs, 1: 'i' },
  { ...signs, 1: 'l' },
];

/** The signs on the digit keys: `1qaz@WSX` is `1qaz2wsx` with shift. */
const unshifted: Readonly<Record<string, string>> = Object.fromEntries(
  [...'!@#$%^&*()'].map((sign, at) => [sign, String((at + 1) % 10)]),
);

/**
 * Whether a password is one of the first that an attacker would try: a common password, or one with other cases, signs in
 * place of letters, or a few digits and signs around it.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const plain = password.normalize('NFKC').toLowerCase();
  if (isRun(plain) || isRepeat(plain)) return true;
  const { commonPasswords } = await import('./common-password-list.ts');
  return [plain, replaced(plain, unshifted)]
    .flatMap(undecorated)
    .flatMap((word) => [word, ...readings.map((letters) => replaced(word, letters))])
    .some((word) => commonPasswords.has(word));
}

function replaced(text: string, by: Readonly<Record<string, string>>): string {
  return [...text].map((character) => by[character] ?? character).join('');
}

/** The text itself and its cores: without decoration before and after. */
function undecorated(text: string): string[] {
  const lengths = Array.from({ length: MAX_DECORATION_LENGTH + 1 }, (_, length) => length);
  const starts = lengths.filter((length) => DECORATION.test(text.slice(0, length)));
  const ends = lengths.filter((length) => DECORATION.test(text.slice(text.length - length)));
  return starts
    .flatMap((start) => ends.map((end) => text.slice(start, text.length - end)))
    .filter((word) => word.length >= MIN_WORD);
}

/** `12345678`, `87654321`, `qwertyuiop`, `abcdefgh`. */
function isRun(plain: string): boolean {
  const reversed = [...plain].reverse().join('');
  return runs.some((run) => run.includes(plain) || run.includes(reversed));
}

/** `aaaaaaaa`, `abcabcabc`, `12121212`: up to four characters, repeated. */
function isRepeat(plain: string): boolean {
  for (let length = 1; length <= 4 && length * 2 <= plain.length; length += 1) {
    const unit = plain.slice(0, length);
    if (unit.repeat(Math.ceil(plain.length / length)).startsWith(plain)) return true;
  }
  return false;
}
