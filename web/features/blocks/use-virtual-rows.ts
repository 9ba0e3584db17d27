import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from "react";

/** `hasFailed`: the last try to load more failed, and only the driver tries again. */
export type Pagination = { hasMore: boolean; isLoading: boolean; hasFailed: boolean; load: () => void };

/** The next page is fetched when this few rows are left below. */
const PREFETCH_ROWS = 12;

/** The visible rows of a long list, and the height of those above and below. Paper has no scrolling: it gets every row. */
export function useVirtualRows<Frame extends HTMLElement>({
  count,
  rowHeight,
  pagination,
}: {
  count: number;
  rowHeight: number;
  pagination: Pagination;
}) {
  const frame = useRef<Frame>(null);
  const isPrinted = useIsPrinted();
  // oxlint-disable-next-line react/incompatible-library -- its functions can't be memoized, and nothing here memoizes them
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => rowHeight,
    overscan: 10,
    scrollMargin: frame.current?.offsetTop ?? 0,
  });
  const visible = virtualizer.getVirtualItems();
  const first = visible[0];
  const last = visible.at(-1);
  const margin = virtualizer.options.scrollMargin;
  const isNearEnd = (last?.index ?? 0) >= count - PREFETCH_ROWS;
  const { hasMore, isLoading, hasFailed, load } = pagination;
  const loadNext = useEffectEvent(load);
  useEffect(() => {
    if (isNearEnd && hasMore && !isLoading && !hasFailed) loadNext();
  }, [isNearEnd, hasMore, isLoading, hasFailed]);
  const { measureElement: measure } = virtualizer;
  if (isPrinted)
    return {
      frame,
      indexes: Array.from({ length: count }, (_, index) => index),
      above: 0,
      below: 0,
      measure,
    };
  return {
    frame,
    indexes: visible.map(({ index }) => index),
    above: first ? first.start - margin : 0,
    below: last ? virtualizer.getTotalSize() - (last.end - margin) : 0,
    measure,
  };
}

let isPrinting = false;

/**
 * Whether the page is being printed. By the event, which comes before a browser counts the pages: the change of a media query
 * comes after that, and what it adds is cut off.
 */
export function useIsPrinted(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isPrinting,
    () => false,
  );
}

function subscribe(onChange: () => void): () => void {
  const note = ({ type }: Event) => {
    isPrinting = type === "beforeprint";
    onChange();
  };
  addEventListener("beforeprint", note);
  addEventListener("afterprint", note);
  return () => {
    removeEventListener("beforeprint", note);
    removeEventListener("afterprint", note);
  };
}
