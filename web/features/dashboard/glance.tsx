import type { Snapshot } from "../../../db/shapes/work/live.ts";
import { m } from "../../messages/messages.js";
import { useNow } from "../../ui/use-now.ts";
import { formatMoney, formatTime } from "../language/format.ts";
import { offerPlace } from "../offers/offer-place.ts";

/** The next start and today's money on a phone, where their own cards are further down. */
export function Glance({
  system: { held, warehouses, today },
  currency,
}: {
  system: Pick<Snapshot, "held" | "warehouses" | "today">;
  currency: string;
}) {
  const now = useNow(15_000);
  const next = held.find(({ endsAt }) => endsAt > now);
  const figures = [
    {
      name: m.next_title(),
      value: next
        ? formatTime(next.startsAt, { timeZone: offerPlace(next, warehouses).timeZone, now })
        : m.glance_none(),
    },
    { name: m.feed_won(), value: formatMoney(today.capturedCents, currency) },
  ];
  return (
    <dl className="figures flex flex-wrap gap-x-6 gap-y-1 sm:hidden" data-testid="glance">
      {figures.map(({ name, value }) => (
        <div key={name} className="min-w-24">
          <dt className="text-xs text-soft">{name}</dt>
          <dd className="font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
