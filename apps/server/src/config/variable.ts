import { isIP } from 'node:net';
import * as z from 'zod';
import { encryptionKeyOf } from './encryption-key.ts';

/** One variable of the environment: its meaning, an example, its default, and the parser of its text. */
export interface Variable {
  readonly meaning: string;
  /** The text that is parsed when the variable is not set. Without one, the value is then null. */
  readonly default?: string;
  /** The behaviour when the variable is not set, for the documentation; required where `default` does not say it. */
  readonly unset?: string;
  readonly example: string;
  readonly schema: z.ZodType<unknown, string>;
  /** Its value is never printed. */
  readonly secret?: true;
}

/** The parsed values of a table: null for a variable that is not set and has no default. */
export type ValuesOf<Table extends Record<string, Variable>> = {
  readonly [Name in keyof Table]:
    | z.output<Table[Name]['schema']>
    | (Table[Name] extends { readonly default: string } ? never : null);
};

export const text = z.string();
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'is not a whole number')
    .transform(Number)
    .pipe(z.int().min(min, `is less than ${min}`).max(max, `is more than ${max}`));

const ON = new Set(['true', 'on', '1']);
const OFF = new Set(['false', 'off', '0']);
export const onOrOff = z
  .string()
  .refine((value) => ON.has(value.toLowerCase()) || OFF.has(value.toLowerCase()), 'is neither on nor off')
  .transform((value) => ON.has(value.toLowerCase()));

/** Exactly one of the words. */
export const oneOf = <const T extends string>(...words: readonly T[]) =>
  z.string().transform((value, context): T => {
    const match = words.find((word) => word === value);
    if (match !== undefined) return match;
    context.addIssue({ code: 'custom', message: `is none of ${words.join(', ')}` });
    return z.NEVER;
  });

/** A value of `schema`, or the word off, which is null. */
export const offOr = <T>(schema: z.ZodType<T, string>) =>
  z.string().transform((value, context): T | null => {
    if (value.toLowerCase() === 'off') return null;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    for (const { message } of parsed.error.issues) context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

const HOUR_MS = 3_600_000;
export const MAX_TIMER_MS = 24 * 24 * HOUR_MS; // Node's timers end at 2^31 ms (24.8 days) and fire at once beyond it
const MAX_MS = 3_650 * 24 * HOUR_MS; // ten years: a longer one is more likely a typing error

export const duration = (minMs: number, maxMs = MAX_MS) =>
  z.string().transform((value, context) => {
    const ms = parseDuration(value);
    if (ms !== null && ms >= minMs && ms <= maxMs) return ms;
    const fault = ms === null ? 'is not a duration' : ms < minMs ? 'is too short' : 'is too long';
    context.addIssue({ code: 'custom', message: fault });
    return z.NEVER;
  });

export const byteSize = (minBytes: number) =>
  z.string().transform((value, context) => {
    const bytes = parseByteSize(value);
    if (bytes !== null && bytes >= minBytes) return bytes;
    context.addIssue({ code: 'custom', message: bytes === null ? 'is not a size' : 'is too small' });
    return z.NEVER;
  });

export const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

export const origin = z
  .string()
  .refine((value) => URL.canParse(value) && new URL(value).origin === value, 'is not an origin (scheme, host, port)')
  .refine((value) => /^https?:/.test(value), 'is neither http:// nor https://');

const hostName = /^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$/;
export const host = z
  .string()
  .transform((value) => value.replace(/^\[(.*)\]$/, '$1'))
  .refine((value) => isIP(value) !== 0 || hostName.test(value), 'is neither an address nor a host name');

// Cookies, redirects and the console's links start at "/", so a path in it would be ignored silently.
export const httpUrl = z.string().transform((value, context) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    context.addIssue({ code: 'custom', message: 'is not an http(s) URL' });
    return z.NEVER;
  }
  if (url.href !== `${url.origin}/`) {
    context.addIssue({ code: 'custom', message: 'holds more than scheme, host and port' });
    return z.NEVER;
  }
  return url;
});

/** The base URL of an API, without a trailing slash. Credentials are refused: they would end up in messages. */
export const baseUrl = z.string().transform((value, context) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  const fault =
    url === null || !/^https?:$/.test(url.protocol)
      ? 'is not an http(s) URL'
      : url.username !== '' || url.password !== ''
        ? 'holds credentials; the key has its own variable'
        : url.search !== '' || url.hash !== ''
          ? 'holds a query or a fragment'
          : null;
  if (fault === null) return value.replace(/\/+$/, '');
  context.addIssue({ code: 'custom', message: fault });
  return z.NEVER;
});

export const postgresUrl = z.string().refine((value) => {
  return /^postgres(?:ql)?:\/\//.test(value) && URL.canParse(value) && new URL(value).pathname.length > 1;
}, 'is not postgres://USER:PASSWORD@HOST:PORT/DATABASE');

export const redisUrl = z.string().refine((value) => {
  return /^rediss?:\/\//.test(value) && URL.canParse(value) && new URL(value).hostname !== '';
}, 'is neither redis://… nor rediss://…');

// The credentials before the host are sent in a header, so they may hold only what a header can.
export const chromaUrl = z.string().transform((value, context) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.search + url.hash === '' && isSendable(url)) return url;
  context.addIssue({ code: 'custom', message: 'is not http(s)://TOKEN@HOST:PORT/PATH; token and path are optional' });
  return z.NEVER;
});

function isSendable({ username, password }: URL): boolean {
  try {
    const [user, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
    return secret === '' ? /^[!-~]*$/.test(user) : true;
  } catch {
    return false;
  }
}

function isAddressOrRange(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

export const trustProxy = z
  .string()
  .transform((value) => (OFF.has(value.toLowerCase()) ? '' : value))
  .pipe(list)
  .pipe(
    z.array(
      z
        .string()
        .refine((value) => value === 'loopback' || isAddressOrRange(value), 'is not an address, a range or loopback'),
    ),
  );

export const encryptionKeys = z.string().transform((value, context) => {
  const keys = value.split(',').map((item) => {
    const [, id = '', base64 = ''] = /^([^:]*):(.*)$/.exec(item.trim()) ?? [];
    return encryptionKeyOf(id, base64);
  });
  const known = keys.filter((key) => key !== null);
  if (known.length < keys.length) {
    context.addIssue({ code: 'custom', message: 'is not id:base64key with keys of 32 bytes' });
    return z.NEVER;
  }
  if (new Set(known.map(({ id }) => id)).size < known.length) {
    context.addIssue({ code: 'custom', message: 'has two keys with the same id' });
    return z.NEVER;
  }
  return known;
});

export const commitAuthor = z.string().transform((value, context) => {
  const match = /^([^<>\p{Cc}]{1,100})\s<([^<>\s\p{Cc}]{1,200})>$/u.exec(value);
  if (match?.[1] !== undefined && match[2] !== undefined) return { name: match[1].trim(), email: match[2] };
  context.addIssue({ code: 'custom', message: 'is not of the form Name <address>' });
  return z.NEVER;
});

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/; // a header's name (RFC 9110 5.6.2)

/** `name=value,name=value`, each value as in a URL. */
export const headerList = z.string().transform((text, context) => {
  const headers: Record<string, string> = {};
  for (const part of text.split(',')) {
    const [name = '', ...rest] = part.trim().split('=');
    const value = decoded(rest.join('='));
    if (!TOKEN.test(name) || rest.length === 0 || value === null) {
      context.addIssue({ code: 'custom', message: 'is not of the form name=value,name=value' });
      return z.NEVER;
    }
    headers[name.toLowerCase()] = value;
  }
  return headers;
});

function decoded(text: string): string | null {
  try {
    const value = decodeURIComponent(text.trim());
    return /^[\t\x20-\x7e]*$/.test(value) ? value : null;
  } catch {
    return null;
  }
}

const BYTES = { MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4 } as const;

/** Parses `512MiB`, `4GiB` or `1TiB` into bytes; null when it is none of these. */
function parseByteSize(text: string): number | null {
  const match = /^(\d{1,6})(MiB|GiB|TiB)$/.exec(text);
  return match === null ? null : Number(match[1]) * BYTES[match[2] as keyof typeof BYTES];
}

const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses `30s`, `15m`, `12h`, `7d`, `250ms` or `0` into milliseconds; null when it is none of these. */
export function parseDuration(text: string): number | null {
  if (text === '0') return 0;
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text);
  if (match === null) return null;
  return Number(match[1]) * MILLISECONDS[match[2] as keyof typeof MILLISECONDS];
}
