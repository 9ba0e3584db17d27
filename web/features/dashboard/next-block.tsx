import { CalendarClock } from "lucide-react";
import type { Block, Warehouse } from "../../../durable/engine/types.ts";
import { m } from "../../messages/messages.js";
import { useNow } from "../../ui/use-now.ts";
import { ArrivedButton } from "../arrival/arrived-button.tsx";
import { sayCount, sayDuration, sayLength, sayMoney, sayRate, sayTime } from "../language/format.ts";
import { placeOf } from "../offers/place-of.ts";
import { saySpan } from "../offers/reason-words.ts";

/** The block that comes next: when, where, what it pays, and how long until then. */
export function NextBlock({
  held,
  warehouses,
}: {
  held: readonly Block[];
  warehouses: readonly Warehouse[];
}) {
  const now = useNow(15_000);
  const [next, ...more] = held.filter((block) => block.endsAt > now);
  return (
    <section className="card p-5" data-testid="next-block">
      <h2 className="text-lg">{m.next_title()}</h2>
      {next ? (
        <Details block={next} warehouses={warehouses} now={now} moreCount={more.length} />
      ) : (
        <div className="mt-2 flex items-center gap-3 text-soft">
          <CalendarClock aria-hidden className="size-6 shrink-0" strokeWidth={1.5} />
          <p>
            <span className="block font-semibold text-ink">{m.next_empty()}</span>
            <span className="text-sm">{m.next_empty_text()}</span>
          </p>
        </div>
      )}
    </section>
  );
}

function Details({
  block,
  warehouses,
  now,
  moreCount,
}: {
  block: Block;
  warehouses: readonly Warehouse[];
  now: number;
  moreCount: number;
}) {
  const place = placeOf(block, warehouses);
  const address = warehouses.find(({ warehouseId }) => warehouseId === block.warehouseId)?.address;
  return (
    <div className="figures mt-1 grid gap-2">
      <p className="font-display text-xl font-bold">
        {block.startsAt > now
          ? m.next_starts_in({ left: sayDuration(block.startsAt - now) })
          : m.next_running({ time: sayTime(block.endsAt, place.timeZone) })}
      </p>
      <div className="flex items-start justify-between gap-4">
        <p className="min-w-0">
          <span className="block font-semibold">{place.name}</span>
          {address && <span className="block text-sm text-soft">{address}</span>}
          <span className="block text-sm text-soft">
            {saySpan(block, place.timeZone)} · {sayLength(block)}
          </span>
        </p>
        <p className="shrink-0 text-right">
          <span className="block text-lg leading-tight font-semibold">
            {sayMoney(block.payCents, block.currency)}
          </span>
          <span className="block text-sm text-soft">{sayRate(block, block.currency)}</span>
        </p>
      </div>
      <ArrivedButton block={block} now={now} timeZone={place.timeZone} />
      {moreCount > 0 && (
        <p className="text-sm text-soft">
          {moreCount === 1 ? m.next_more_one() : m.next_more_other({ count: sayCount(moreCount) })}
        </p>
      )}
    </div>
  );
}
