import { createStore } from "@tanstack/react-store";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { serverNow } from "../../early/server-clock.ts";

/** Until when the server is closed for maintenance (null: nobody knows); null while it is open. */
export const maintenanceStore = createStore<{ until: EpochMs | null } | null>(null);

/** @param retryAfter seconds until the server expects to be back */
export function noteMaintenance(retryAfter: number | null): void {
  const until = retryAfter === null ? null : serverNow() + retryAfter * 1000;
  maintenanceStore.setState(() => ({ until }));
}

export function noteOpen(): void {
  if (maintenanceStore.get() !== null) maintenanceStore.setState(() => null);
}
