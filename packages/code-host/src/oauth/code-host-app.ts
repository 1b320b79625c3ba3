import GitHub from '@auth/core/providers/github';
import type { AuthorizationServer, Client } from 'oauth4webapi';

/** Sluice's registration at the code host, and the host's URLs without a trailing slash. */
export interface CodeHostApp {
  /** The URL where users sign in. */
  readonly url: string;
  readonly apiUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
}

/** The two parties of OAuth: the host with its endpoints, and Sluice. */
export interface OAuthParties {
  readonly server: AuthorizationServer & { authorization_endpoint: string };
  readonly client: Client;
}

/** The endpoints come from the library's definition of the provider. */
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
