export {
  type ApiTokenId,
  type Ids,
  type InvitationId,
  type IssueId,
  isId,
  type RepoId,
  type SessionId,
  shortId,
  type UserId,
} from './id.ts';
