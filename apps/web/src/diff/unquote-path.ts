const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** A path as git writes it: in double quotes with C escapes, of its UTF-8 bytes, where it has unusual characters. */
export function unquotePath(path: string): string {
  if (!path.startsWith('"') || !path.endsWith('"') || path.length < 2) return path;
  const inner = path.slice(1, -1);
  const encoder = new TextEncoder();
  const bytes: number[] = [];
  for (const [, octal, escaped, plain] of inner.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (escaped !== undefined) bytes.push(escapes[escaped] ?? escaped.charCodeAt(0));
    else bytes.push(...encoder.encode(plain));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
