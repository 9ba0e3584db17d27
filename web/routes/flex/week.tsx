import { createFileRoute, type SearchSchemaInput } from "@tanstack/react-router";
import * as z from "zod/mini";
import { localDate } from "../../../db/shapes/work/local-date.ts";
import { weekQuery } from "../../api/queries/week.ts";
import { searchParam } from "../../features/navigation/search-param.ts";
import { WeekError, WeekPending } from "../../features/week/states.tsx";
import { WeekScreen } from "../../features/week/week-screen.tsx";

const search = z.object({
  /** A date in the week; left out, it is the present one. */
  date: searchParam(localDate),
});

export const Route = createFileRoute("/flex/week")({
  validateSearch: (given: Partial<z.output<typeof search>> & SearchSchemaInput) => z.parse(search, given),
  loaderDeps: ({ search: { date } }) => ({ date }),
  loader: async ({ context: { queryClient }, deps: { date } }) => {
    await queryClient.ensureQueryData(weekQuery(date));
  },
  pendingComponent: WeekPending,
  errorComponent: WeekError,
  component: Week,
});

function Week() {
  return <WeekScreen date={Route.useSearch().date} />;
}
