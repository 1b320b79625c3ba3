// The streams alone, without HTTP: for programs that bring events to readers of their own.
export { createIssueFeed } from './issue-feed.ts';
export { resumeToken } from './resume-token.ts';
