import { createFileRoute, type SearchSchemaInput } from "@tanstack/react-router";
import { ArrivedScreen } from "../features/arrival/arrived-screen.tsx";

type Search = { token?: string; instant?: 1 };

export const Route = createFileRoute("/arrived")({
  validateSearch: (given: Search & SearchSchemaInput): Search => ({
    ...(typeof given.token === "string" ? { token: given.token } : {}),
    ...(Number(given.instant) === 1 ? { instant: 1 } : {}),
  }),
  component: Arrived,
});

function Arrived() {
  const { token, instant } = Route.useSearch();
  return <ArrivedScreen token={token ?? null} instant={instant === 1} />;
}
