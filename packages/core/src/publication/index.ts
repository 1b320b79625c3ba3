export { guardedFiles } from './guarded-files.ts';
export { renderBuildComment } from './render-build-comment.ts';
export {
  type ChangeRequestFacts,
  changeRequestTitle,
  renderAnswerComment,
  renderChangeRequest,
  renderFollowUpComment,
  renderPublishedComment,
  renderRemarkComment,
  renderRemarkCommentElsewhere,
  renderRoundsComment,
} from './render-change-request.ts';
export { verdictSentences } from './render-outcome.ts';
export { type RemarkReply, renderRemarkReply } from './render-remark-answer.ts';
