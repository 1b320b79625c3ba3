import { isIP } from 'node:net';
import * as z from 'zod';
import { parseByteSize } from './byte-size.ts';
import { parseDuration } from './duration.ts';
import { encryptionKeyOf } from './encryption-key.ts';

/** One variable of the environment: what it means, what an example looks like, and how its text is read. */
export interface Variable<T> {
  readonly meaning: string;
  /** As shown to people; the program's own default may depend on other variables. */
  readonly defaultText: string;
  readonly example: string;
  readonly schema: z.ZodType<T, string>;
  /** Its value is never printed. */
  readonly secret?: true;
}

export const variable = <T>(entry: Variable<T>): Variable<T> => entry;

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

/** Words of which exactly one is meant. */
export const oneOf = <const T extends string>(...words: readonly T[]) =>
  z.string().transform((value, context): T => {
    const meant = words.find((word) => word === value);
    if (meant !== undefined) return meant;
    context.addIssue({ code: 'custom', message: `is none of ${words.join(', ')}` });
    return z.NEVER;
  });

/** What `schema` reads, or the word off, which is null. */
export const offOr = <T>(schema: z.ZodType<T, string>) =>
  z.string().transform((value, context): T | null => {
    if (value.toLowerCase() === 'off') return null;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    for (const { message } of parsed.error.issues) context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

const HOUR_MS = 3_600_000;
export const LONGEST_TIMER_MS = 24 * 24 * HOUR_MS; // Node's timers end at 2^31 ms (24.8 days) and fire at once beyond it
const LONGEST_MS = 3_650 * 24 * HOUR_MS; // ten years: beyond it a typing error is likelier than a wish

export const duration = (minMs: number, maxMs = LONGEST_MS) =>
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
  .refine((value) => isIP(value) !== 0 || hostName.test(value), 'is no address and no host name');

// Cookies, redirects and the console's links start at "/", so a path in it would be ignored without a word.
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

/** A server's address with a path, as a base of further ones. Without a slash at its end. A password in it would end up in messages. */
export const baseUrl = z.string().transform((value, context) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  const fault =
    url === null || !/^https?:$/.test(url.protocol)
      ? 'is not an http(s) URL'
      : url.username !== '' || url.password !== ''
        ? 'holds credentials; the key has a variable of its own'
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

// What stands before the host is sent in a header, so it must be made of what a header can hold.
export const chromaUrl = z.string().transform((value, context) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.search + url.hash === '' && isSendable(url)) return url;
  context.addIssue({ code: 'custom', message: 'is not http(s)://TOKEN@HOST:PORT/PATH or without the token or path' });
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
      z.string().refine((value) => value === 'loopback' || isAddressOrRange(value), 'is no address, range or loopback'),
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

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/; // what a header may be called (RFC 9110 5.6.2)

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
