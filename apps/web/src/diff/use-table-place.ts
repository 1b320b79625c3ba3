import { type RefObject, useLayoutEffect, useState } from 'react';
import { headerHeight, type RowSpace } from './row-heights.ts';

interface TablePlace extends RowSpace {
  /** How far the table is from the top of the page. */
  readonly fromTop: number;
  /** How much of the window's top is covered by what sticks there, the header of a file included. */
  readonly covered: number;
}

/** The table's offset in the page, in pixels. Read when the layout of the page changes, and not while it is drawn. */
export function useTablePlace(table: RefObject<HTMLElement | null>): TablePlace {
  const [place, setPlace] = useState<TablePlace>({ fromTop: 0, covered: 0, width: 0, rem: 16 });
  useLayoutEffect(() => {
    const read = () => {
      const element = table.current;
      if (element === null) return;
      const next = placeOf(element);
      setPlace((before) => (isSame(before, next) ? before : next));
    };
    read();
    const observer = new ResizeObserver(read);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [table]);
  return place;
}

function placeOf(table: HTMLElement): TablePlace {
  const box = table.getBoundingClientRect();
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const heads = table.querySelector('[role=row]');
  const sticks = heads === null ? 0 : Number.parseFloat(getComputedStyle(heads).top) || 0;
  return {
    fromTop: Math.round(box.top + window.scrollY),
    covered: sticks + headerHeight(rem),
    width: box.width,
    rem,
  };
}

function isSame(a: TablePlace, b: TablePlace): boolean {
  return a.fromTop === b.fromTop && a.covered === b.covered && a.width === b.width && a.rem === b.rem;
}
