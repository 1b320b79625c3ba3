import { baseUrlOf, type ModelAccess, type ModelProvider } from './model-access.ts';

/**
 * What every provider of the SDK's is made with. Key and address are always given: what is missing, the SDK would take
 * from the environment, which belongs to somebody else.
 */
export function providerSettings(
  provider: ModelProvider,
  access: ModelAccess,
): { apiKey: string; baseURL: string; fetch: typeof fetch } {
  return {
    apiKey: access.keys[provider] ?? '',
    baseURL: baseUrlOf(provider, access) ?? '',
    // Following a redirect would send the prompt, and Anthropic's key, to an address that is not configured.
    fetch: (input, init) => fetch(input, { ...init, redirect: 'error' }),
  };
}
