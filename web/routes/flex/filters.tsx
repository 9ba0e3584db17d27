import { createFileRoute, type SearchSchemaInput } from "@tanstack/react-router";
import * as z from "zod/mini";
import { filterChange } from "../../../db/shapes/work/filter-change.ts";
import { FiltersError, FiltersPending } from "../../features/filters/states.tsx";
import { FiltersScreen } from "../../features/filters/filters-screen.tsx";
import { searchParam } from "../../features/navigation/search-param.ts";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { filtersQuery, warehousesQuery } from "../../api/queries/filters.ts";

const search = z.object({
  /** A change that is made in the draft, for the driver to look at and save. */
  change: searchParam(filterChange),
});

export const Route = createFileRoute("/flex/filters")({
  validateSearch: (given: Partial<z.output<typeof search>> & SearchSchemaInput) => z.parse(search, given),
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
  component: FiltersPage,
});

function FiltersPage() {
  const { change } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <FiltersScreen
      proposed={change ?? null}
      onProposed={() => void navigate({ search: {}, replace: true, resetScroll: false })}
    />
  );
}
