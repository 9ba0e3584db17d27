import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import type { PassedOverGroup } from "../../../db/shapes/log/passed-over.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { passedOverQuery } from "../../api/queries/blocks.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useNow } from "../../ui/use-now.ts";
import { countInputs, DEVICE_TIME_ZONE, formatCount, formatMoney, formatTime } from "../language/format.ts";
import { changeLabel } from "../offers/change-labels.ts";
import { ChangeButton, MadeChange } from "../offers/made-change.tsx";
import { groupMessage } from "../offers/reason-messages.ts";
import { useFilterChange } from "../offers/use-filter-change.ts";

/** Groups before 'all reasons': the list begins on the first screen of a phone. */
const COLLAPSED_GROUPS = 3;

/**
 * The offers that the filters skipped, by reason: how many, how many one change would have let through, and that change
 * with one tap.
 */
export function PassedOver({ warehouses }: { warehouses: readonly Warehouse[] }) {
  const summary = useQuery(passedOverQuery);
  const changing = useFilterChange();
  const now = useNow(MINUTE_MS);
  const [isExpanded, setExpanded] = useState(false);
  // The list below says why each was passed over: offline or after a failure nothing is missing from it.
  if (!summary.data) return summary.isLoading ? <Skeleton className="h-96 rounded-card" /> : null;
  const { groups, since, currency } = summary.data;
  if (since === null) return null;
  const timeZone = warehouses[0]?.timeZone ?? DEVICE_TIME_ZONE;
  const visible = isExpanded ? groups : groups.slice(0, COLLAPSED_GROUPS);
  return (
    <section className="card overflow-hidden" aria-labelledby="passed-over" data-testid="passed-over">
      <div className="px-4 pt-4 pb-3 sm:px-5">
        <h2 id="passed-over" className="text-lg">
          {m.passed_title()}
        </h2>
        <p className="mt-0.5 max-w-prose text-sm text-soft">
          {m.passed_text({ since: formatTime(since, { timeZone, now }) })}
        </p>
        <MadeChange {...{ changing, warehouses, currency }} className="mt-3" />
      </div>
      <ul className="divide-y divide-line border-t border-line">
        {visible.map((group) => (
          <Group key={group.code} {...{ group, changing, warehouses, currency }} />
        ))}
      </ul>
      {visible.length < groups.length && (
        <div className="grid border-t border-line p-1">
          <Button variant="quiet" onClick={() => setExpanded(true)}>
            {m.passed_more()}
          </Button>
        </div>
      )}
    </section>
  );
}

function Group({
  group: { code, offers, workable, payCents, proposal },
  changing,
  warehouses,
  currency,
}: {
  group: PassedOverGroup;
  changing: ReturnType<typeof useFilterChange>;
  warehouses: readonly Warehouse[];
  currency: string;
}) {
  const money = formatMoney(payCents, currency);
  return (
    <li
      data-testid="passed-over-group"
      className="grid gap-x-6 gap-y-2 px-4 py-3 sm:px-5 lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center"
    >
      <div>
        <p className="font-semibold">{groupMessage(code)}</p>
        <p className="figures text-sm text-soft">
          {m.passed_count(countInputs(offers))}
          {payCents > 0 &&
            ` · ${workable === offers ? money : m.passed_workable({ figure: formatCount(workable), money })}`}
        </p>
        {proposal && (
          <p className="figures">
            {m.passed_gain({
              ...countInputs(proposal.offers),
              money: formatMoney(proposal.payCents, currency),
            })}
          </p>
        )}
      </div>
      {proposal && (
        <ChangeButton
          change={proposal.change}
          changing={changing}
          label={changeLabel(proposal.change, { warehouses, currency })}
        />
      )}
    </li>
  );
}
