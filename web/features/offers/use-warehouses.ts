import { useQuery } from "@tanstack/react-query";
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
