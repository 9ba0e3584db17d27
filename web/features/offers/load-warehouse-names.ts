import type { QueryClient } from "@tanstack/react-query";
import { liveStore } from "../../api/live/live.ts";
import { warehousesQuery } from "../../api/queries/filters.ts";

/** The server may ask the platform first, which may not answer. */
const PATIENCE_MS = 1_000;

/** Resolves once a list can name its warehouses: its rows would move when the names come later. Waits for a moment at most. */
export async function loadWarehouseNames(queryClient: QueryClient): Promise<void> {
  const isKnown = liveStore.get().snapshot || queryClient.getQueryData(warehousesQuery.queryKey);
  const loading = queryClient.prefetchQuery(warehousesQuery);
  if (isKnown) return;
  await Promise.race([loading, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}
