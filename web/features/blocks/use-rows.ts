import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";

export type More = { hasMore: boolean; isLoading: boolean; load: () => void };

/** How close to its end a list asks for its next page. */
const ROWS_AHEAD = 12;

/** Which rows of a long list stand in view, and how much room the others take. */
export function useRows<Frame extends HTMLElement>({
  count,
  rowHeight,
  more,
}: {
  count: number;
  rowHeight: number;
  more: More;
}) {
  const frame = useRef<Frame>(null);
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
  const isNearEnd = (last?.index ?? 0) >= count - ROWS_AHEAD;
  const { hasMore, isLoading, load } = more;
  useEffect(() => {
    if (isNearEnd && hasMore && !isLoading) load();
    // `load` is made anew with each render; what it does is not.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isNearEnd, hasMore, isLoading]);
  return {
    frame,
    indexes: visible.map(({ index }) => index),
    above: first ? first.start - margin : 0,
    below: last ? virtualizer.getTotalSize() - (last.end - margin) : 0,
    measure: virtualizer.measureElement,
  };
}
