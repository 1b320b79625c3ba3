/** A text that no letter, digit or other sign of a name continues on either side. Takes linear time for any text. */
export function wordPattern(text: string, flags: 'u' | 'gu'): RegExp {
  const sign = String.raw`[\p{L}\p{N}_$]`;
  const isSign = new RegExp(sign, 'u');
  const before = isSign.test(text.slice(0, 1)) ? `(?<!${sign})` : '';
  const after = isSign.test(text.slice(-1)) ? `(?!${sign})` : '';
  return new RegExp(`${before}${RegExp.escape(text)}${after}`, flags);
}
