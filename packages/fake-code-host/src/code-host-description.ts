/** The part of the provider's OpenAPI description that Sluice uses. */
export const codeHostDescription = new URL('fixtures/codehost-api.json', import.meta.url);
