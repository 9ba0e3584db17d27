import { createFileRoute } from "@tanstack/react-router";
import { FiltersScreen } from "../../features/filters/filters-screen.tsx";
import { filtersQuery, warehousesQuery } from "../../api/queries.ts";
import { sessionStore } from "../../api/session.ts";

export const Route = createFileRoute("/flex/filters")({
  loader: ({ context: { queryClient } }) => {
    if (!sessionStore.get()) return;
    void queryClient.prefetchQuery(filtersQuery);
    void queryClient.prefetchQuery(warehousesQuery);
  },
  component: FiltersScreen,
});
