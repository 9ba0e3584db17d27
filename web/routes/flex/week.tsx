import { createFileRoute, redirect, type SearchSchemaInput } from "@tanstack/react-router";
import * as z from "zod/mini";
import { localDate } from "../../../db/shapes/work/local-date.ts";
import { weekQuery } from "../../api/queries/statistics.ts";
import { searchParam } from "../../features/navigation/search-param.ts";
import { WeekError, WeekPending } from "../../features/week/states.tsx";
import { WeekScreen } from "../../features/week/week-screen.tsx";

const search = z.object({
  /** A date in the week; left out, it is the present one. */
  date: searchParam(localDate),
  /** A week: the filters open with its one change. Messages about the week link here. */
  try: searchParam(localDate),
});

export const Route = createFileRoute("/flex/week")({
  validateSearch: (given: Partial<z.output<typeof search>> & SearchSchemaInput) => z.parse(search, given),
  loaderDeps: ({ search: { date, try: tried } }) => ({ date, tried }),
  loader: async ({ context: { queryClient }, deps: { date, tried } }) => {
    if (tried === undefined) {
      await queryClient.ensureQueryData(weekQuery(date));
      return;
    }
    // Not one from before the filters were last saved: it would propose what they have by now.
    const { best } = await queryClient.fetchQuery(weekQuery(tried));
    throw best
      ? redirect({ to: "/flex/filters", search: { change: best.change }, replace: true })
      : redirect({ to: "/flex/week", search: { date: tried }, replace: true });
  },
  pendingComponent: WeekPending,
  errorComponent: WeekError,
  component: Week,
});

function Week() {
  return <WeekScreen date={Route.useSearch().date} />;
}
