import { baseUrlOf, type ModelAccess, type ModelProvider } from './model-access.ts';
import type { RequestSettings } from './model-settings-file.ts';

export interface ProviderSettings {
  readonly apiKey: string;
  readonly baseURL: string;
  readonly headers: Record<string, string>;
  readonly fetch: typeof fetch;
}

/**
 * The settings of every provider of the SDK. Key and address are always given: the SDK would take missing ones from the
 * environment, which belongs to somebody else.
 */
export function providerSettings(
  provider: ModelProvider,
  access: ModelAccess,
  { extra_body, extra_headers = {} }: RequestSettings = {},
): ProviderSettings {
  return {
    apiKey: access.keys[provider] ?? '',
    baseURL: baseUrlOf(provider, access) ?? '',
    headers: extra_headers,
    // Following a redirect would send the prompt, and Anthropic's key, to an address that is not configured.
    // house-rule(host-names): the operator names the hosts of models
    fetch: (input, init) => fetch(input, { ...withMembers(init, extra_body), redirect: 'error' }),
  };
}

/** Adds members to the body of a request. */
function withMembers(init: RequestInit | undefined, members: RequestSettings['extra_body']): RequestInit | undefined {
  if (members === undefined || typeof init?.body !== 'string') return init;
  return { ...init, body: JSON.stringify({ ...JSON.parse(init.body), ...members }) };
}
