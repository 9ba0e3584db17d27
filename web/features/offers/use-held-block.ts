import { useInfiniteQuery } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import type { Block } from "../../../db/shapes/offer.ts";
import type { Span } from "../../../db/shapes/units.ts";
import { liveStore } from "../../api/live.ts";
import { blocksQuery } from "../../api/queries.ts";

/** The block that fills a span: held now, or among the latest that were captured. Null where it is neither. */
export function useHeldBlock(span: Span | null): Block | null {
  const held = useSelector(liveStore, (live) => live.snapshot?.held);
  const fills = ({ startsAt, endsAt }: Block) => startsAt === span?.startsAt && endsAt === span.endsAt;
  const present = held?.find(fills);
  const { data } = useInfiniteQuery({ ...blocksQuery("won"), enabled: span !== null && !present });
  if (present) return present;
  const won = data?.pages.flatMap(({ items }) =>
    items.flatMap((item) => (item.type === "won" ? [item.block] : [])),
  );
  return won?.find(fills) ?? null;
}
