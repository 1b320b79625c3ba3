/** A number that came as a text, perhaps as a time with its unit; anything else as it is. Times are in seconds. */
export function numberIn(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const [, digits, unit] = /^\s*(-?\d+(?:\.\d+)?)\s*(ms|s|secs?|seconds?)?\s*$/i.exec(value) ?? [];
  if (digits === undefined) return value;
  return unit?.toLowerCase() === 'ms' ? Number(digits) / 1_000 : Number(digits);
}

/** A truth that came as a text or a number; anything else as it is. */
export function truthIn(value: unknown): unknown {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^(?:true|false|yes|no|1|0)$/i.test(text)) return value;
  return /^(?:true|yes|1)$/i.test(text);
}

/** A command that came as a list of its words, as `exec` takes it: `["bash", "-lc", "make test"]`. */
export function commandLine(value: unknown): unknown {
  if (!Array.isArray(value) || !value.every((word) => typeof word === 'string')) return value;
  const [shell = '', flag = '', script] = value;
  if (value.length === 3 && /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da)?sh$/.test(shell) && /^-\w*c$/.test(flag)) return script;
  // Words with spaces or signs would have to be quoted, and may be commands of their own.
  return value.every((word) => /^[\w@%+=:,./-]+$/.test(word)) ? value.join(' ') : value;
}
