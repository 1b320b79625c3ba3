import * as z from 'zod';
import { isLoopback } from './loopback.ts';
import { baseUrl, duration, LONGEST_TIMER_MS, text, variable } from './variable.ts';

const LEAST_POLL_MS = 1_000;

/** Tokens travel to it: in the clear only where they do not leave this machine. */
const hostUrl = baseUrl.refine((value) => {
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || isLoopback(hostname);
}, 'is http:// to another machine');

const SECRET_EXAMPLE = 'YOUR_SECRET';

const secret = (meaning: string) =>
  variable({
    meaning,
    defaultText: 'none',
    example: SECRET_EXAMPLE,
    schema: text
      .regex(/^[\x21-\x7e]+$/, 'holds a blank or a character that no secret has')
      .refine((value) => value !== SECRET_EXAMPLE, 'is the example'),
    secret: true,
  });

/** The code host: where people sign in, where their repositories and issues are, and where pull requests go. */
export const codehostVariables = {
  CODEHOST_URL: variable({
    meaning:
      'The code host as people see it: GitHub, or a GitHub Enterprise Server. The database keeps it: see codehost.md before you change it.',
    defaultText: 'https://github.com',
    example: 'https://github.example.com',
    schema: hostUrl,
  }),
  CODEHOST_API_URL: variable({
    meaning: "The base of the code host's REST API.",
    defaultText: 'https://api.github.com, or CODEHOST_URL/api/v3 of another host',
    example: 'https://github.example.com/api/v3',
    schema: hostUrl,
  }),
  CODEHOST_CLIENT_ID: variable({
    meaning:
      'The OAuth app that Sluice is at the code host; its callback URL is PUBLIC_URL/api/auth/codehost/callback. Without it nobody signs in there, and no pull requests are opened.',
    defaultText: 'none',
    example: 'Ov23liEXAMPLE',
    schema: text.regex(/^[\x21-\x7e]{1,200}$/, 'is no client id'),
  }),
  CODEHOST_CLIENT_SECRET: secret('The secret of that OAuth app.'),
  CODEHOST_WEBHOOK_SECRET: secret(
    'What the code host signs its deliveries to PUBLIC_URL/api/codehost/webhook with, such as "openssl rand -hex 32" prints. Without it repositories are only polled.',
  ),
  CODEHOST_SCOPES: variable({
    meaning:
      'What Sluice asks to be allowed: repo reads and pushes to private repositories and opens pull requests, workflow pushes branches that change workflow files. public_repo is enough where all repositories are public.',
    defaultText: 'repo workflow',
    example: 'public_repo',
    schema: z
      .string()
      .transform((value) => value.split(/[\s,]+/).filter((scope) => scope !== ''))
      .pipe(z.array(z.string().regex(/^[a-z][a-z:_]{0,99}$/, 'is no list of scopes')).min(1, 'names no scope')),
  }),
  CODEHOST_POLL: variable({
    meaning:
      'How often each repository at the code host is asked for what has changed; what is unchanged costs no quota. 0 = never: then deliveries are all there is.',
    defaultText: '1m, or 15m with CODEHOST_WEBHOOK_SECRET',
    example: '5m',
    schema: duration(0, LONGEST_TIMER_MS).refine((ms) => ms === 0 || ms >= LEAST_POLL_MS, 'is too short'),
  }),
} as const;
