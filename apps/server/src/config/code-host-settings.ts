import { codeHostVariables } from './code-host-variables.ts';
import type { ValuesOf } from './variable.ts';

// Webhook deliveries get lost now and then; the poll finds what they would have reported.
const POLL_MS = { alone: 60_000, besideWebhook: 900_000 };

export type CodeHostSettings = NonNullable<ReturnType<typeof codeHostSettings>>;

/** The code host and Sluice's OAuth app there; null without an OAuth app. URLs have no trailing slash. */
export function codeHostSettings(values: ValuesOf<typeof codeHostVariables>) {
  const { CODEHOST_CLIENT_ID: clientId, CODEHOST_CLIENT_SECRET: clientSecret } = values;
  if (clientId === null || clientSecret === null) return null;
  const { CODEHOST_URL: url, CODEHOST_WEBHOOK_SECRET: webhookSecret, CODEHOST_SCOPES: scopes } = values;
  return {
    url,
    apiUrl: values.CODEHOST_API_URL ?? usualApiUrl(url),
    /** Undefined: those that the host usually has. */
    fileOrigins: values.CODEHOST_FILE_ORIGINS ?? undefined,
    clientId,
    clientSecret,
    /** Null: webhook deliveries are refused. */
    webhookSecret,
    scopes,
    buildRounds: values.CI_ROUNDS,
    followUpRounds: values.FOLLOW_UP_ROUNDS,
    /** 0: never. */
    pollMs: values.CODEHOST_POLL ?? (webhookSecret === null ? POLL_MS.alone : POLL_MS.besideWebhook),
  };
}

/** github.com and its tenants serve the API under its own host name, an Enterprise Server under a path. */
function usualApiUrl(url: string): string {
  const { protocol, host, hostname } = new URL(url);
  const hasApiHost = hostname === 'github.com' || hostname.endsWith('.ghe.com');
  return hasApiHost ? `${protocol}//api.${host}` : `${url}/api/v3`;
}

/** A problem if only one half of the OAuth app is set. */
export function codeHostProblems(given: (name: string) => string | null): string[] {
  const halves = ['CODEHOST_CLIENT_ID', 'CODEHOST_CLIENT_SECRET'] as const;
  const [missing, ...others] = halves.filter((name) => given(name) === null);
  if (missing === undefined || others.length > 0) return [];
  const other = halves.find((name) => name !== missing);
  return [`${missing}: is required with ${other}, e.g. ${missing}=${codeHostVariables[missing].example}`];
}
