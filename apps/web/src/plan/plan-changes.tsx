import type { Plan, PlanStep } from '@sluice/client';
import { type ReactNode, useMemo } from 'react';
import { counted } from '../format/amounts.ts';
import { visibleText } from '../format/visible-text.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { type ComparedItem, comparePlans, countChanges } from './compare-plans.ts';
import { compareWords } from './compare-words.ts';
import styles from './plan-changes.module.css';

/** What a revision of a plan changed in the one before: part by part, with the words marked. */
export function PlanChanges({ before, after }: { readonly before: Plan; readonly after: Plan }) {
  const compared = useMemo(() => comparePlans(before, after), [before, after]);
  const count = countChanges(compared);
  return (
    <details className={styles.changes} open={count > 0}>
      <summary>
        What changed since revision {before.revision}: {count === 0 ? 'nothing' : counted(count, 'part')}
      </summary>
      {compared.texts.map(({ name, before: old, after: young }) => (
        <Part key={name} name={name} kind={old === '' ? 'added' : young === '' ? 'removed' : 'changed'}>
          <Marks before={old} after={young} />
        </Part>
      ))}
      {changedOf(compared.steps).map(({ kind, before: old, after: young, place }) => (
        <Part key={`step-${place}`} name={stepName(after, young)} kind={kind}>
          <p className={styles.title}>
            <Marks before={old?.title ?? ''} after={young?.title ?? ''} />
          </p>
          <Marks before={old?.files.join(', ') ?? ''} after={young?.files.join(', ') ?? ''} mono />
          <Marks before={old?.detail ?? ''} after={young?.detail ?? ''} />
        </Part>
      ))}
      {changedOf(compared.criteria).map(({ kind, before: old, after: young, place }) => (
        <Part key={`criterion-${place}`} name="Done when" kind={kind}>
          <Marks before={old ?? ''} after={young ?? ''} />
        </Part>
      ))}
      {changedOf(compared.risks).map(({ kind, before: old, after: young, place }) => (
        <Part key={`risk-${place}`} name="Risk" kind={kind}>
          <Marks before={old ?? ''} after={young ?? ''} />
        </Part>
      ))}
    </details>
  );
}

function changedOf<Item>(items: readonly ComparedItem<Item>[]) {
  return items.map((item, place) => ({ ...item, place })).filter(({ kind }) => kind !== 'same');
}

function stepName({ steps }: Plan, step: PlanStep | null): string {
  return step === null ? 'A step' : `Step ${steps.indexOf(step) + 1}`;
}

type Changed = ComparedItem<unknown>['kind'];

const tones: Record<Changed, Tone> = { same: 'neutral', changed: 'accent', added: 'good', removed: 'bad' };

function Part({ name, kind, children }: { name: string; kind: Changed; children: ReactNode }) {
  return (
    <div className={styles.part}>
      <div className={styles.name}>
        {name} <Badge tone={tones[kind]}>{kind}</Badge>
      </div>
      {children}
    </div>
  );
}

/** A text in two revisions: what went is struck out, what came is underlined. */
function Marks({ before, after, mono = false }: { before: string; after: string; mono?: boolean }) {
  const pieces = useMemo(() => compareWords(before, after), [before, after]);
  if (pieces.length === 0) return null;
  return (
    <span className={styles.text} data-mono={mono ? '' : undefined} dir="auto">
      {pieces.map(({ kind, text }, index) => {
        const shown = visibleText(text);
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never move
        if (kind === 'same') return <span key={index}>{shown}</span>;
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never move
        return kind === 'added' ? <ins key={index}>{shown}</ins> : <del key={index}>{shown}</del>;
      })}
    </span>
  );
}
