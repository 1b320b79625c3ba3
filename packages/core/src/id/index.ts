export {
  type ApiTokenId,
  type AttachmentId,
  type Ids,
  type InvitationId,
  type IssueId,
  isId,
  type RepoId,
  type SessionId,
  shortId,
  type UserId,
} from './id.ts';
