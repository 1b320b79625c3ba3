import { presentRepo, type Repo } from '@sluice/core';
import type { CodeHostWork } from './sync-context.ts';

/** A registration with its present address: what is at its address of before may be somebody else's. */
export async function presentRegistration(
  { deps, host, tokens }: CodeHostWork,
  repo: Repo,
  signal: AbortSignal,
): Promise<Repo> {
  return await presentRepo({ repos: deps.repos, codehost: { host }, codehostTokens: tokens }, repo, signal);
}
