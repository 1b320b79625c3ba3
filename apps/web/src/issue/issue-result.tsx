import type { Issue, Repo, Result } from '@sluice/client';
import { counted } from '../format/amounts.ts';
import { branchUrl } from '../format/code-host-links.ts';
import { visibleText } from '../format/visible-text.ts';
import { LazyMarkdown } from '../markdown/lazy-markdown.tsx';
import { Badge } from '../ui/badge.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Fact } from '../ui/fact.tsx';
import { LineCounts } from '../ui/line-counts.tsx';
import { OutsideLink } from '../ui/outside-link.tsx';
import styles from './issue-result.module.css';
import { switchCommand } from './switch-command.ts';

interface IssueResultProps {
  readonly issue: Issue;
  readonly result: Result;
  readonly repo: Repo | undefined;
}

/** The result of an issue: an answer, or a branch and where to look at it. */
export function IssueResult({ issue, result, repo }: IssueResultProps) {
  if (result.branch === null) return <Answer result={result} />;
  const { branch, summary, files_changed: files, additions, deletions, findings, change_request_url: url } = result;
  const command = switchCommand(branch, repo);
  return (
    <section className={styles.result} aria-labelledby="result-title">
      <div className={styles.head}>
        <h2 id="result-title">Result</h2>
        {findings.length > 0 && <Badge tone="warn">{counted(findings.length, 'finding')} below</Badge>}
        <span className={styles.counts}>
          {counted(files, 'file')}, <LineCounts additions={additions} deletions={deletions} />
        </span>
      </div>
      <LazyMarkdown text={summary} />
      <dl className={styles.places}>
        <Fact name="Branch">
          <OutsideLink href={repo === undefined ? null : branchUrl(repo, branch)}>
            <code>{visibleText(branch)}</code>
          </OutsideLink>
          <CopyButton text={() => branch} label="Copy the branch's name" />
        </Fact>
        {url !== null && (
          <Fact name="Pull request">
            <OutsideLink href={url}>{visibleText(url)}</OutsideLink>
            {issue.change_request_state !== null && <Badge>{issue.change_request_state}</Badge>}
          </Fact>
        )}
        <Fact name="Look at it">
          <code className={styles.command}>{visibleText(command)}</code>
          <CopyButton text={() => command} label="Copy the command" />
        </Fact>
      </dl>
    </section>
  );
}

function Answer({ result: { answer, summary } }: { readonly result: Result }) {
  return (
    <section className={styles.result} aria-labelledby="result-title">
      <h2 id="result-title">Answer</h2>
      <LazyMarkdown text={answer ?? summary} />
    </section>
  );
}
