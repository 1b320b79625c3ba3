import type { CatalogEntry } from './error-kind.ts';

/** Why a repository cannot be read at its remote. Only what waiting can help is retried. */
export const remoteErrors = {
  remote_unreachable: { kind: 'upstream', retry: true, message: 'The repository could not be reached.' },
  remote_access_denied: {
    kind: 'upstream',
    retry: false,
    message: 'The repository asks for access that the stored token does not give.',
  },
  remote_not_found: { kind: 'upstream', retry: false, message: 'There is no git repository at this address.' },
  remote_certificate_invalid: {
    kind: 'upstream',
    retry: false,
    message: "The certificate of the repository's server is not valid.",
  },
  remote_unusable: {
    kind: 'upstream',
    retry: false,
    message:
      "The repository's server uses a protocol or format that Sluice does not support. Use an https:// address of a git server.",
  },
  repo_unsafe: {
    kind: 'upstream',
    retry: false,
    message: 'The repository holds objects that git refuses to take, because they are unsafe or damaged.',
  },
} as const satisfies Record<string, CatalogEntry>;

export type RemoteErrorCode = keyof typeof remoteErrors;

export const remoteErrorCodes = Object.keys(remoteErrors) as RemoteErrorCode[];
