import { createFileRoute } from "@tanstack/react-router";
import { RafflePage } from "../features/raffle/raffle-page.tsx";

export const Route = createFileRoute("/raffle/$id")({ component: RaffleOfRoute });

function RaffleOfRoute() {
  return <RafflePage id={Route.useParams().id} />;
}
