import type { Plan, PlanStep, Repo } from '@sluice/client';
import { Link } from '@tanstack/react-router';
import { memo, type ReactNode } from 'react';
import { fileUrl } from '../format/code-host-links.ts';
import { visibleText } from '../format/visible-text.ts';
import { LazyMarkdown } from '../markdown/lazy-markdown.tsx';
import { OutsideLink } from '../ui/outside-link.tsx';
import { RelativeTime } from '../ui/time.tsx';
import styles from './plan-document.module.css';

/** A part of a plan on which one can remark. */
export type PlanPart = { readonly kind: 'step' | 'criterion' | 'risk'; readonly index: number };

interface PlanDocumentProps {
  readonly plan: Plan;
  readonly place: PlanPlace;
  /** The content below a part, such as a field for a remark. */
  readonly below?: (part: PlanPart) => ReactNode;
}

/** A plan as a document to read and to judge. Nothing of it is shortened: an edit is carried out exactly as it is written. */
export const PlanDocument = memo(function PlanDocument({ plan, place, below }: PlanDocumentProps) {
  return (
    <article className={styles.plan} aria-labelledby="plan-title">
      <header className={styles.head}>
        <h2 id="plan-title">
          Plan <span className={styles.revision}>revision {plan.revision}</span>
        </h2>
        <span className={styles.made}>
          made <RelativeTime at={plan.created_at} />
        </span>
      </header>
      {plan.guidance !== null && (
        <details className={styles.guidance}>
          <summary>The instruction that led to this revision</summary>
          <p className={styles.prose} dir="auto">
            {visibleText(plan.guidance)}
          </p>
        </details>
      )}
      <div className={styles.summary}>
        <LazyMarkdown text={plan.summary} />
      </div>
      <Commands plan={plan} />
      <section aria-labelledby="plan-steps">
        <h3 id="plan-steps">Steps</h3>
        <ol className={styles.steps}>
          {plan.steps.map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is known by its place alone
            <li key={index} id={`step-${index + 1}`}>
              <PlanStepItem step={step} number={index + 1} place={place} />
              {below?.({ kind: 'step', index })}
            </li>
          ))}
        </ol>
      </section>
      <PlanList title="Done when" kind="criterion" items={plan.acceptance_criteria} below={below} />
      <section aria-labelledby="plan-tests">
        <h3 id="plan-tests">How it is tested</h3>
        <LazyMarkdown text={plan.test_strategy} />
      </section>
      <PlanList title="Risks" kind="risk" items={plan.risks} below={below} />
    </article>
  );
});

interface PlanListProps {
  readonly title: string;
  readonly kind: 'criterion' | 'risk';
  readonly items: readonly string[];
  readonly below: PlanDocumentProps['below'];
}

function PlanList({ title, kind, items, below }: PlanListProps) {
  if (items.length === 0) return null;
  return (
    <section aria-labelledby={`plan-${kind}`}>
      <h3 id={`plan-${kind}`}>{title}</h3>
      <ul className={styles.list} data-kind={kind}>
        {items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an item is known by its place alone
          <li key={index}>
            <div className={styles.prose} dir="auto">
              {visibleText(item)}
            </div>
            {below?.({ kind, index })}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Commands that the planner proposes because none is known. They run, so they stand before the steps. */
function Commands({ plan: { setup_command: setup, test_command: test } }: { readonly plan: Plan }) {
  if (setup === undefined && test === undefined) return null;
  return (
    <section className={styles.commands} aria-labelledby="plan-commands">
      <h3 id="plan-commands">Approving sets these commands for the repository</h3>
      <dl>
        {setup !== undefined && <Command name="Setup" line={setup} />}
        {test !== undefined && <Command name="Tests" line={test} />}
      </dl>
    </section>
  );
}

function Command({ name, line }: { readonly name: string; readonly line: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{visibleText(line)}</code>
      </dd>
    </div>
  );
}

interface PlanStepItemProps {
  readonly step: PlanStep;
  readonly number: number;
  readonly place: PlanPlace;
}

/** A step of a plan: its files, and its words as they were written. */
function PlanStepItem({ step, number, place }: PlanStepItemProps) {
  return (
    <>
      <h4 className={styles.stepTitle}>
        <span className={styles.number} aria-hidden="true">
          {number}
        </span>
        <bdi>{visibleText(step.title)}</bdi>
      </h4>
      {step.files.length > 0 && (
        <ul className={styles.files} aria-label={`Files of step ${number}`}>
          {step.files.map((path) => (
            <li key={path}>
              <PlannedFile path={path} place={place} />
            </li>
          ))}
        </ul>
      )}
      {step.detail !== '' && (
        <p className={styles.detail} dir="auto">
          {visibleText(step.detail)}
        </p>
      )}
    </>
  );
}

/** A file that a plan names, linked to where it can be read: the code host, or the search of the repository. */
function PlannedFile({ path, place }: { readonly path: string; readonly place: PlanPlace }) {
  const { repo, repoId, commit } = place;
  const shown = (
    <code>
      <bdi>{visibleText(path)}</bdi>
    </code>
  );
  const url = repo === undefined ? null : fileUrl(repo, { commit, path });
  if (url === null) {
    return (
      <Link className={styles.file} to="/repos/$id" params={{ id: repoId }} search={{ q: path }} preload={false}>
        {shown}
      </Link>
    );
  }
  return (
    <OutsideLink className={styles.file} href={url}>
      {shown}
    </OutsideLink>
  );
}

/** Where the files of a plan are. */
interface PlanPlace {
  readonly repoId: string;
  /** Undefined while it loads. */
  readonly repo: Pick<Repo, 'url' | 'provider'> | undefined;
  /** The commit that the plan was made on, or a branch where that is not known. */
  readonly commit: string;
}
