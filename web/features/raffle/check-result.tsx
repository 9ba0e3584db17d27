import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX } from "lucide-react";
import type { Raffle, RaffleDraw } from "../../../worker/contract/money/raffles.ts";
import { m } from "../../messages/messages.js";
import { Skeleton } from "../../ui/skeleton.tsx";
import { LoadErrorPanel } from "../errors/load-error.tsx";
import { countInputs } from "../language/format.ts";
import { checkDraw } from "./check-draw.ts";

/** The result of repeating the draw in this browser. */
export function CheckResult({ raffle, draw }: { raffle: Raffle; draw: RaffleDraw }) {
  const {
    data: check,
    error,
    refetch,
  } = useQuery({
    queryKey: ["raffle-check", raffle.id, draw],
    queryFn: () => checkDraw(raffle, draw),
    networkMode: "always",
    staleTime: Infinity,
  });
  if (error) {
    // The code that verifies a beacon is loaded with it.
    return (
      <LoadErrorPanel isPart title={m.raffle_check_failed()} onRetry={() => void refetch()}>
        {m.raffle_check_failed_text()}
      </LoadErrorPanel>
    );
  }
  if (!check) return <Skeleton className="h-24" />;
  const { beacon } = check;
  const round = raffle.closing?.round ?? 0;
  const lines = [
    { isRight: check.isSeedRight, text: check.isSeedRight ? m.raffle_seed_right() : m.raffle_seed_wrong() },
    ...(beacon
      ? [
          {
            isRight: beacon.areEntriesRight,
            text: beacon.areEntriesRight ? m.raffle_list_right() : m.raffle_list_wrong(),
          },
          {
            isRight: beacon.isRoundRight && beacon.isChainPublic,
            text: !beacon.isRoundRight
              ? m.raffle_round_wrong({ round })
              : beacon.isChainPublic
                ? m.raffle_round_right({ round })
                : m.raffle_round_private({ round }),
          },
        ]
      : []),
    {
      isRight: check.areWinnersRight,
      text: check.areWinnersRight
        ? m.raffle_winners_right(countInputs(draw.tickets.length))
        : m.raffle_winners_wrong(),
    },
  ];
  return (
    <output className="card grid gap-3 p-5" data-testid="raffle-check">
      {lines.map(({ isRight, text }) => {
        const Icon = isRight ? CircleCheck : CircleX;
        return (
          <span key={text} className="flex items-start gap-3">
            <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${isRight ? "text-good" : "text-bad"}`} />
            <span>{text}</span>
          </span>
        );
      })}
    </output>
  );
}
