import { useVirtualizer } from '@tanstack/react-virtual';
import { type UIEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { counted } from '../format/amounts.ts';
import { formatDuration } from '../format/duration.ts';
import { visibleText } from '../format/visible-text.ts';
import { Badge } from '../ui/badge.tsx';
import { FoldArrow } from '../ui/fold-arrow.tsx';
import { Elapsed } from '../ui/time.tsx';
import type { LeftOut } from './line-gaps.ts';
import type { LogSection } from './log-book.ts';
import { LogLine, SHOWN_CHARACTERS } from './log-line.tsx';
import styles from './log-list.module.css';
import type { LogRows } from './log-rows.ts';

const LINE_REM = 1.5;
const HEAD_REM = 2.5;
const END_PX = 40; // so near the end, a reader follows it

interface LogListProps {
  readonly issueId: string;
  readonly rows: LogRows;
  readonly isOpen: (section: LogSection) => boolean;
  readonly onToggle: (section: LogSection) => void;
  readonly isWrapped: boolean;
  /** Whether the end is followed; scrolling away ends that, and scrolling to the end begins it again. */
  readonly follow: { readonly isOn: boolean; readonly onChange: (isOn: boolean) => void };
  /** The line to scroll to and to mark. */
  readonly target: { readonly section: number; readonly line: number } | null;
  readonly pattern: RegExp | null;
}

/** The lines that are in view, of however many. Lines are equally high unless they wrap, so nothing need be measured. */
export function LogList(props: LogListProps) {
  const { issueId, rows, isOpen, onToggle, isWrapped, follow, target, pattern } = props;
  const box = useRef<HTMLElement>(null);
  const current = useRef(rows);
  current.current = rows;
  const [rem] = useState(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
  /** How much of a long line is shown, by its key. */
  const [shown, setShown] = useState<ReadonlyMap<number, number>>(new Map());
  const virtual = useVirtualizer<HTMLElement, HTMLElement>({
    count: rows.count,
    getScrollElement: () => box.current,
    estimateSize: useCallback(
      (index: number) => (current.current.row(index).line < 0 ? HEAD_REM : LINE_REM) * rem,
      [rem],
    ),
    getItemKey: useCallback((index: number) => current.current.key(index), []),
    overscan: 20,
    useFlushSync: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: every height is another one when lines wrap
  useLayoutEffect(() => virtual.measure(), [virtual, isWrapped]);
  useLayoutEffect(() => {
    if (follow.isOn) virtual.scrollToIndex(rows.count - 1, { align: 'end' });
  }, [virtual, rows, follow.isOn]);
  const wantedSection = target?.section ?? null;
  const wantedLine = target?.line ?? -1;
  const targetIndex = wantedSection === null ? -1 : rows.indexOf(wantedSection, wantedLine);
  const isThere = targetIndex >= 0;
  useEffect(() => {
    if (wantedSection === null || !isThere) return;
    const index = current.current.indexOf(wantedSection, wantedLine);
    virtual.scrollToIndex(index, { align: wantedLine < 0 ? 'start' : 'center' });
  }, [virtual, wantedSection, wantedLine, isThere]);

  const { isOn, onChange } = follow;
  const lastTop = useRef(0);
  const onScroll = (event: UIEvent<HTMLElement>) => {
    const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
    const isBack = scrollTop < lastTop.current; // following only ever goes forward: this was the reader
    lastTop.current = scrollTop;
    const isNearEnd = scrollHeight - scrollTop - clientHeight < END_PX;
    if (isOn ? isBack && !isNearEnd : isNearEnd) onChange(!isOn);
  };

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section ref={box} className={styles.box} onScroll={onScroll} tabIndex={0} aria-label="Output">
      <div className={styles.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start, size }) => {
          const { section, line } = rows.row(index);
          if (line < 0)
            return (
              <div key={key} data-index={index} className={styles.head} style={{ transform: `translateY(${start}px)` }}>
                <SectionHead
                  section={section}
                  lines={section.lines.written}
                  isOpen={isOpen(section)}
                  onToggle={() => onToggle(section)}
                />
              </div>
            );
          const gap = section.lines.gaps.at(line);
          const part = shown.get(Number(key)) ?? SHOWN_CHARACTERS;
          const isMeasured = isWrapped || part > SHOWN_CHARACTERS;
          return (
            <div
              key={key}
              data-index={index}
              ref={isMeasured ? virtual.measureElement : undefined}
              className={styles.line}
              data-wrapped={isMeasured ? '' : undefined}
              data-marked={index === targetIndex ? '' : undefined}
              style={{ transform: `translateY(${start}px)`, height: isMeasured ? undefined : size }}
            >
              {gap !== null ? (
                <LogGap leftOut={gap} />
              ) : (
                <LogLine
                  issueId={issueId}
                  run={section.run?.seq ?? null}
                  number={section.lines.gaps.number(line)}
                  text={section.lines.line(line)}
                  isError={section.lines.isError(line)}
                  shown={part}
                  onMore={(characters) => setShown((before) => new Map(before).set(Number(key), characters))}
                  pattern={pattern}
                />
              )}
            </div>
          );
        })}
      </div>
    </section>
  );
}

/** Stands where output was left out, and says how much and why. */
function LogGap({ leftOut: { characters, lines } }: { readonly leftOut: LeftOut }) {
  const amount = counted(characters, 'character');
  return (
    <span className={styles.gap}>
      {lines === 0 ? amount : `${counted(lines, 'line')} (${amount})`} left out: of a long output, only the beginning
      and the end are kept
    </span>
  );
}

interface SectionHeadProps {
  readonly section: LogSection;
  readonly lines: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** One run of a command: what, how it ended, how long, how many lines. It folds the output. */
function SectionHead({ section: { command, run, at }, lines, isOpen, onToggle }: SectionHeadProps) {
  return (
    <button type="button" className={styles.sectionHead} aria-expanded={isOpen} onClick={onToggle}>
      <FoldArrow />
      <bdi className={styles.command} title={visibleText(command)}>
        $ {visibleText(command.replaceAll(/\s+/g, ' '))}
      </bdi>
      {run !== null && <RunEnd run={run} />}
      <span className={styles.meta}>
        {run?.end != null && formatDuration(run.end.durationMs)}
        {run?.end === null && <Elapsed since={at} />}
      </span>
      <span className={styles.meta}>{counted(lines, 'line')}</span>
    </button>
  );
}

function RunEnd({ run: { end } }: { readonly run: NonNullable<LogSection['run']> }) {
  if (end === null) return <Badge tone="accent">running</Badge>;
  if (end.exitCode === null) return <Badge tone="bad">stopped</Badge>;
  return <Badge tone={end.exitCode === 0 ? 'good' : 'bad'}>{`exit ${end.exitCode}`}</Badge>;
}
