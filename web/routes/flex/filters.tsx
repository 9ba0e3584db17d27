import { createFileRoute } from "@tanstack/react-router";
import { FiltersError, FiltersPending } from "../../features/filters/states.tsx";
import { FiltersScreen } from "../../features/filters/filters-screen.tsx";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { filtersQuery, warehousesQuery } from "../../api/queries/filters.ts";

export const Route = createFileRoute("/flex/filters")({
  loader: async ({ context: { queryClient } }) => {
    await Promise.all([
      queryClient.ensureQueryData(filtersQuery),
      // The rest can be edited without the warehouses, but not without a linked account.
      queryClient.ensureQueryData(warehousesQuery).catch((error: unknown) => {
        if (errorCodeOf(error) === "not_linked") throw error;
      }),
    ]);
  },
  pendingComponent: FiltersPending,
  errorComponent: FiltersError,
  component: FiltersScreen,
});
