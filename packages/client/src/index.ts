export { createSluiceClient, type SluiceClient, type SluiceClientOptions } from './create-sluice-client.ts';
export { watchIssue } from './watch-issue.ts';
