import * as z from 'zod';
import { isLoopback } from './loopback.ts';
import { baseUrl, duration, MAX_TIMER_MS, text, type Variable, wholeNumber } from './variable.ts';

const MIN_POLL_MS = 1_000;

/** Tokens are sent to it: unencrypted only if they do not leave this machine. */
const hostUrl = baseUrl.refine((value) => {
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || isLoopback(hostname);
}, 'is http:// to another machine');

const fileOrigin = hostUrl.refine(
  (value) => value === new URL(value).origin,
  'is not an origin, such as https://media.example.com',
);

const SECRET_EXAMPLE = 'YOUR_SECRET';

const secret = (meaning: string) =>
  ({
    meaning,
    unset: 'none',
    example: SECRET_EXAMPLE,
    schema: text
      .regex(/^[\x21-\x7e]+$/, 'contains a space or another character that secrets do not have')
      .refine((value) => value !== SECRET_EXAMPLE, 'is the example'),
    secret: true,
  }) as const;

/** The code host: sign-in, repositories, issues and pull requests. */
export const codeHostVariables = {
  CODEHOST_URL: {
    meaning:
      "The code host's web address: GitHub or a GitHub Enterprise Server. It is recorded in the database: read codehost.md before you change it.",
    default: 'https://github.com',
    example: 'https://github.example.com',
    schema: hostUrl,
  },
  CODEHOST_API_URL: {
    meaning: "Base URL of the code host's REST API.",
    unset: 'https://api.github.com, or CODEHOST_URL/api/v3 for another host',
    example: 'https://github.example.com/api/v3',
    schema: hostUrl,
  },
  CODEHOST_FILE_ORIGINS: {
    meaning:
      'Origins at which the code host keeps the pictures of issues, separated by commas. Pictures of an imported issue are fetched from these alone, without a token, at the addresses that its API has signed.',
    unset:
      'https://private-user-images.githubusercontent.com, or the host media. before that of CODEHOST_URL for another host',
    example: 'https://media.github.example.com',
    schema: z
      .string()
      .transform((value) => value.split(/[\s,]+/).filter((origin) => origin !== ''))
      .pipe(z.array(fileOrigin).min(1, 'names no origin')),
  },
  CODEHOST_CLIENT_ID: {
    meaning:
      "Client id of Sluice's OAuth app at the code host; its callback URL is PUBLIC_URL/api/auth/codehost/callback. Without it there is no sign-in with the code host, and no pull requests are opened.",
    unset: 'none',
    example: 'Ov23liEXAMPLE',
    schema: text.regex(/^[\x21-\x7e]{1,200}$/, 'is not a client id'),
  },
  CODEHOST_CLIENT_SECRET: secret('Client secret of that OAuth app.'),
  CODEHOST_WEBHOOK_SECRET: secret(
    'Secret with which the code host signs webhook deliveries to PUBLIC_URL/api/codehost/webhook; generate one with "openssl rand -hex 32". Without it repositories are only polled.',
  ),
  CODEHOST_SCOPES: {
    meaning:
      'OAuth scopes to request: repo reads and pushes to private repositories and opens pull requests, workflow pushes branches that change workflow files. public_repo is enough if all repositories are public.',
    default: 'repo workflow', // without `workflow` the host refuses a branch in which a workflow file differs
    example: 'public_repo',
    schema: z
      .string()
      .transform((value) => value.split(/[\s,]+/).filter((scope) => scope !== ''))
      .pipe(z.array(z.string().regex(/^[a-z][a-z:_]{0,99}$/, 'is not a list of scopes')).min(1, 'names no scope')),
  },
  CODEHOST_POLL: {
    meaning:
      'Interval at which each repository at the code host is polled for changes; an unchanged answer costs no quota. 0 = never: then only webhook deliveries bring changes.',
    unset: '1m, or 15m with CODEHOST_WEBHOOK_SECRET',
    example: '5m',
    schema: duration(0, MAX_TIMER_MS).refine((ms) => ms === 0 || ms >= MIN_POLL_MS, 'is too short'),
  },
  CI_ROUNDS: {
    meaning:
      'How often a failed build at the code host may be given to the coder, for each pull request, where the repository has follow_build=fix.',
    default: '2',
    example: '2',
    schema: wholeNumber(0, 10),
  },
  FOLLOW_UP_ROUNDS: {
    meaning:
      'How many follow-ups the comments and reviews on one pull request may lead to by themselves; reviews by bots are counted apart. After that, a follow-up waits until a person runs it, and a bot leads to none.',
    default: '5',
    example: '5',
    schema: wholeNumber(0, 100),
  },
} as const satisfies Record<string, Variable>;
