export { createSluiceClient, type SluiceClient, type SluiceClientOptions } from './create-sluice-client.ts';
export { isFailedCall, type Refusal, refusalOf } from './refusal.ts';
export { type WatchedEvent, watchIssue } from './watch-issue.ts';
