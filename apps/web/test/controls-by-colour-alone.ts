/**
 * Runs in a page: what is chosen there (pressed, selected, the current one) and looks like its neighbours where backgrounds
 * are taken away.
 */
export function controlsByColourAlone(): string[] {
  const chosen = '[aria-pressed="true"], [aria-current]:not([aria-current="false"]), [aria-selected="true"]';
  const isVisible = (element: Element) => element.checkVisibility() && element.getBoundingClientRect().width > 1;
  const lines = (element: Element) => {
    const style = getComputedStyle(element);
    const sides = [style.borderTop, style.borderBottom, style.borderLeft, style.outline, style.textDecorationLine];
    return `${sides.join(' ')} ${style.color} ${style.backgroundColor} ${style.fontWeight}`;
  };
  return [...document.querySelectorAll(chosen)].filter(isVisible).flatMap((element) => {
    const kind = element.classList[0] ?? '';
    const neighbours = [...document.querySelectorAll(`.${CSS.escape(kind)}`)];
    const other = neighbours.find((one) => one !== element && !one.matches(chosen) && isVisible(one));
    return other !== undefined && lines(other) === lines(element) ? [element.outerHTML.slice(0, 160)] : [];
  });
}
