import { useQuery, type QueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import { liveStore } from "../../api/live/live.ts";
import { warehousesQuery } from "../../api/queries/filters.ts";

const NONE: readonly Warehouse[] = [];

/** For names and time zones. Until they load, or where they can't, the ones from the dashboard's last snapshot do. */
export function useWarehouses(): readonly Warehouse[] {
  const liveWarehouses = useSelector(liveStore, (live) => live.snapshot?.warehouses);
  const { data } = useQuery(warehousesQuery);
  return data?.warehouses ?? liveWarehouses ?? NONE;
}

/** The server may ask the platform first, which may not answer. */
const PATIENCE_MS = 1_000;

/** Resolves once a list can name its warehouses: its rows would move when the names come later. Waits for a moment at most. */
export async function loadWarehouseNames(queryClient: QueryClient): Promise<void> {
  const isKnown = liveStore.get().snapshot || queryClient.getQueryData(warehousesQuery.queryKey);
  const loading = queryClient.prefetchQuery(warehousesQuery);
  if (isKnown) return;
  await Promise.race([loading, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}
