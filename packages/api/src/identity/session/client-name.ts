// The first match counts: most browsers also claim to be several others.
const browsers = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|HeadlessChrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;

const systems = [
  [/\b(iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/**
 * A readable name for a client: "Firefox on Linux", or a program's own name. Stored in place of the `User-Agent` header it
 * is made from: enough to tell one's sessions apart, too little to identify a person.
 */
export function clientName(userAgent: string | undefined): string | null {
  if (userAgent === undefined) return null;
  const header = userAgent.slice(0, 500); // the names stand at the front
  const browser = nameIn(browsers, header);
  const system = nameIn(systems, header);
  if (browser !== null) return system === null ? browser : `${browser} on ${system}`;
  return /^[A-Za-z][A-Za-z0-9_-]{0,29}/.exec(header)?.[0] ?? null;
}

function nameIn(table: readonly (readonly [RegExp, string])[], header: string): string | null {
  return table.find(([pattern]) => pattern.test(header))?.[1] ?? null;
}
