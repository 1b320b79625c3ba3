import { repoAddress } from './repo-address.ts';

const AT_CODE_HOST = /^(?!\.{1,2}\/)[\w.-]{1,100}\/[\w.-]{1,100}$/;

/** What a person calls a repository, as the server takes it: `owner/name` is at the code host, all else an address. */
export async function repoAt(given: string): Promise<{ codehost_repo: string } | { url: string }> {
  return AT_CODE_HOST.test(given) ? { codehost_repo: given } : { url: await repoAddress(given) };
}
