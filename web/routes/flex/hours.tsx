import { createFileRoute } from "@tanstack/react-router";
import { offerHoursQuery } from "../../api/queries/statistics.ts";
import { HoursScreen } from "../../features/hours/hours-screen.tsx";
import { HoursError, HoursPending } from "../../features/hours/states.tsx";
import { loadWarehouseNames } from "../../features/offers/warehouses.ts";

export const Route = createFileRoute("/flex/hours")({
  loader: async ({ context: { queryClient } }) => {
    await Promise.all([queryClient.ensureQueryData(offerHoursQuery(28)), loadWarehouseNames(queryClient)]);
  },
  pendingComponent: HoursPending,
  errorComponent: HoursError,
  component: HoursScreen,
});
