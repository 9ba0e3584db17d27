import { useInfiniteQuery } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import type { Block } from "../../../db/shapes/work/offer.ts";
import type { WarehouseId } from "../../../db/shapes/units.ts";
import type { Reason } from "../../../db/shapes/work/verdict.ts";
import { liveStore } from "../../api/live/live.ts";
import { blocksQuery } from "../../api/queries/blocks.ts";

/**
 * Where the block is that an offer overlaps. Reasons of older offers don't say it: their block is looked for among those
 * held now and the latest that were captured.
 */
export function useOverlappedWarehouse(reasons: readonly Reason[]): WarehouseId | null {
  const overlap = reasons.find((reason) => reason.code === "overlaps_block")?.rule;
  const held = useSelector(liveStore, (live) => live.snapshot?.held);
  const fills = ({ startsAt, endsAt }: Block) => startsAt === overlap?.startsAt && endsAt === overlap.endsAt;
  const known = overlap?.warehouseId ?? held?.find(fills)?.warehouseId;
  const isUnknown = overlap !== undefined && known === undefined;
  const { data } = useInfiniteQuery({ ...blocksQuery("won"), enabled: isUnknown });
  if (known !== undefined) return known;
  const won = data?.pages.flatMap(({ items }) =>
    items.flatMap((item) => (item.type === "won" ? [item.block] : [])),
  );
  return won?.find(fills)?.warehouseId ?? null;
}
