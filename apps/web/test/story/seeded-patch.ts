/** A changed file: its lines with a blank, `+` or `-` in front, as one hunk that begins at `start`. */
export interface SeededFile {
  readonly path: string;
  readonly lines: readonly string[];
  readonly start?: number;
  readonly isNew?: boolean;
}

/** The patch of some files, as git writes it. */
export function patchOf(files: readonly SeededFile[]): string {
  return files.map(filePatch).join('');
}

function filePatch({ path, lines, start = 1, isNew = false }: SeededFile): string {
  const before = lines.filter((line) => !line.startsWith('+')).length;
  const after = lines.filter((line) => !line.startsWith('-')).length;
  const [old, next] = [quoted(`a/${path}`), quoted(`b/${path}`)];
  return [
    `diff --git ${old} ${next}`,
    ...(isNew ? ['new file mode 100644', 'index 0000000..9d0b496'] : ['index 5ea02f7..9d0b496 100644']),
    `--- ${isNew ? '/dev/null' : old}`,
    `+++ ${next}`,
    `@@ -${isNew ? 0 : start},${before} +${start},${after} @@`,
    ...lines,
    '',
  ].join('\n');
}

/** A name as git writes it: in quotes, with bytes in octal, where it has more than plain characters. */
function quoted(name: string): string {
  const bytes = [...new TextEncoder().encode(name)];
  const isPlain = bytes.every((byte) => byte > 0x1f && byte < 0x7f && byte !== 0x22 && byte !== 0x5c);
  if (isPlain) return name;
  const escaped = bytes.map((byte) => {
    if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
    return byte > 0x1f && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `"${escaped.join('')}"`;
}
