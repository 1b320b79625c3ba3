import { codehostVariables } from './codehost-variables.ts';

/** The code host that is configured, and what Sluice is there. */
export interface CodeHostSettings {
  /** Where people see it and git reaches it; no slash at its end, like the next one. */
  readonly url: string;
  readonly apiUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Null: deliveries are refused. */
  readonly webhookSecret: string | null;
  readonly scopes: readonly string[];
  /** 0: never. */
  readonly pollMs: number;
}

interface ReadValues {
  readonly CODEHOST_URL?: string;
  readonly CODEHOST_API_URL?: string;
  readonly CODEHOST_CLIENT_ID?: string;
  readonly CODEHOST_CLIENT_SECRET?: string;
  readonly CODEHOST_WEBHOOK_SECRET?: string;
  readonly CODEHOST_SCOPES?: readonly string[];
  readonly CODEHOST_POLL?: number;
}

const DEFAULT_URL = 'https://github.com';
const POLL_MS = { alone: 60_000, besideWebhook: 900_000 }; // deliveries get lost now and then; the poll finds what they told of

/** The code host out of the variables that were read; null without an application there. */
export function codehostSettings(read: ReadValues): CodeHostSettings | null {
  const { CODEHOST_CLIENT_ID: clientId, CODEHOST_CLIENT_SECRET: clientSecret } = read;
  if (clientId === undefined || clientSecret === undefined) return null;
  const url = read.CODEHOST_URL ?? DEFAULT_URL;
  const webhookSecret = read.CODEHOST_WEBHOOK_SECRET ?? null;
  return {
    url,
    apiUrl: read.CODEHOST_API_URL ?? usualApiUrl(url),
    clientId,
    clientSecret,
    webhookSecret,
    // Without `workflow` the host refuses a branch in which a workflow file differs.
    scopes: read.CODEHOST_SCOPES ?? ['repo', 'workflow'],
    pollMs: read.CODEHOST_POLL ?? (webhookSecret === null ? POLL_MS.alone : POLL_MS.besideWebhook),
  };
}

/** The public host and its tenants have a name for their API, a server of one's own has a path. */
function usualApiUrl(url: string): string {
  const { protocol, host, hostname } = new URL(url);
  const hasName = hostname === 'github.com' || hostname.endsWith('.ghe.com');
  return hasName ? `${protocol}//api.${host}` : `${url}/api/v3`;
}

/** What the settings lack: one half of an application is a mistake. */
export function codehostProblems(given: (name: string) => string | null): string[] {
  const halves = [codehostVariable('CODEHOST_CLIENT_ID'), codehostVariable('CODEHOST_CLIENT_SECRET')] as const;
  const missing = halves.filter(({ name }) => given(name) === null);
  const [lacks] = missing;
  if (lacks === undefined || missing.length === halves.length) return [];
  const other = halves.find(({ name }) => name !== lacks.name)?.name;
  return [`${lacks.name}: is required with ${other}, e.g. ${lacks.name}=${lacks.example}`];
}

function codehostVariable(name: keyof typeof codehostVariables): { name: string; example: string } {
  return { name, example: codehostVariables[name].example };
}
