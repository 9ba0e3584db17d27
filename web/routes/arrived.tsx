import { createFileRoute, type SearchSchemaInput } from "@tanstack/react-router";
import * as z from "zod/mini";
import { ArrivedScreen } from "../features/arrival/arrived-screen.tsx";
import { searchParam } from "../features/navigation/search-param.ts";

const search = z.object({
  token: searchParam(z.string().check(z.maxLength(4_096))),
  instant: searchParam(z.literal(1)),
});

export const Route = createFileRoute("/arrived")({
  validateSearch: (given: z.output<typeof search> & SearchSchemaInput) => z.parse(search, given),
  component: Arrived,
});

function Arrived() {
  const { token, instant } = Route.useSearch();
  return <ArrivedScreen token={token ?? null} instant={instant === 1} />;
}
