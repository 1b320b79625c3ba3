import GitHub from '@auth/core/providers/github';
import type { AuthorizationServer, Client } from 'oauth4webapi';

/** Sluice as the code host knows it, and where the host is. Addresses without a slash at their end. */
export interface CodeHostApp {
  /** Where people sign in. */
  readonly url: string;
  readonly apiUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
}

/** The two sides of OAuth: the host with its endpoints, and us. */
export interface OAuthParties {
  readonly server: AuthorizationServer & { authorization_endpoint: string };
  readonly client: Client;
}

/** Where the host has its endpoints is the provider's definition to know. */
export function oauthParties({ url, clientId }: CodeHostApp): OAuthParties {
  const definition = GitHub({ clientId, enterprise: { baseUrl: url } });
  const { authorization, token, issuer } = definition;
  return {
    server: {
      issuer: issuer ?? url,
      authorization_endpoint: addressOf(authorization),
      token_endpoint: addressOf(token),
    },
    client: { client_id: clientId },
  };
}

function addressOf(endpoint: string | { url?: string | undefined } | undefined): string {
  const address = typeof endpoint === 'string' ? endpoint : endpoint?.url;
  if (address === undefined) throw new Error("The provider's definition lacks an endpoint.");
  return address;
}
