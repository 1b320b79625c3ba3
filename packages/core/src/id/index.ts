export {
  type ApiTokenId,
  type Ids,
  type InvitationId,
  type IssueId,
  isId,
  type RepoId,
  type SessionId,
  type UserId,
} from './id.ts';
