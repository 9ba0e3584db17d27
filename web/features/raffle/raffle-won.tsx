import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Ticket } from "lucide-react";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { rafflesQuery } from "../../api/queries/rewards.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { useNow } from "../../ui/use-now.ts";
import { currentLocale } from "../language/locale.ts";

/** How long after a raffle's draw the dashboard tells its winners. */
const TOLD_MS = 60 * DAY_MS;

/** On the dashboard, for drivers who won a raffle. */
export function RaffleWon() {
  const now = useNow(DAY_MS);
  const won = useQuery(rafflesQuery).data?.raffles.find(
    ({ hasWon, drawnAt, endsAt }) => hasWon && now - (drawnAt ?? endsAt) < TOLD_MS,
  );
  if (!won) return null;
  return (
    <section aria-labelledby="raffle-won" className="card grid gap-3 p-5" data-testid="raffle-won">
      <div className="flex items-start gap-3">
        <Ticket aria-hidden className="mt-1 size-5 shrink-0 text-soft" />
        <div className="min-w-0">
          <h2 id="raffle-won" className="text-lg">
            {m.raffle_won_title()}
          </h2>
          <p className="mt-1 text-soft">
            {won.prize ? m.raffle_won_prize({ prize: won.prize[currentLocale()] }) : m.raffle_won_text()}
          </p>
        </div>
      </div>
      <Link to="/raffle/$id" params={{ id: won.id }} className={buttonClass("plain", "justify-self-start")}>
        {m.raffle_won_see()}
      </Link>
    </section>
  );
}
