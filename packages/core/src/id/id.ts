/** Identifiers are UUIDv7 in lower case, branded by kind so that one cannot stand in for another. */
type Branded<Kind extends string> = string & { readonly __kind: Kind };

export type UserId = Branded<'user'>;
export type SessionId = Branded<'session'>;
export type ApiTokenId = Branded<'api_token'>;
export type InvitationId = Branded<'invitation'>;
export type RepoId = Branded<'repo'>;
export type IssueId = Branded<'issue'>;
export type AttachmentId = Branded<'attachment'>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Whether `text` has the shape of an identifier. What has not names no resource: a 404, never a 400. */
export function isId(text: string): boolean {
  return UUID.test(text);
}

/** The last eight hex digits: the random part of a UUIDv7, so two issues of one second still differ. */
export function shortId(id: string): string {
  return id.slice(-8);
}

/** Makes new identifiers (UUIDv7). */
export interface Ids {
  next(): string;
}
