import { ChevronDown } from "lucide-react";
import { m } from "../../messages/messages.js";
import { formatExactMoney, formatLength, formatMinuteOfDay, formatWeekday } from "../language/format.ts";
import { OutcomeMark } from "../offers/outcome-mark.tsx";
import type { ExampleOffer } from "./example-evening.ts";

/** A line of the example's feed, which opens to say why. */
export function ExampleLine({ offer, onOpen }: { offer: ExampleOffer; onOpen?: () => void }) {
  const { kind, name, day, minute, minutes, cents, outcome, why } = offer;
  return (
    <li className="transition-opacity duration-180 starting:opacity-0 motion-reduce:transition-none">
      <details
        name="example"
        className="group"
        onToggle={({ newState }) => newState === "open" && onOpen?.()}
      >
        <summary className="flex list-none items-center gap-3 rounded-field p-3 hover:bg-sunken [&::-webkit-details-marker]:hidden">
          <OutcomeMark kind={kind} />
          <span className="min-w-0 flex-1">
            <span className="block font-semibold">{name}</span>
            <span className="figures block text-sm text-soft">
              {formatWeekday(day, "short")} {formatMinuteOfDay(minute)} · {formatLength(minutes)}
            </span>
            <span className="block text-sm">{outcome()}</span>
          </span>
          <span className="figures text-right">
            <span className="block font-semibold">{formatExactMoney(cents, "USD")}</span>
            <span className="block text-sm text-soft">
              {m.unit_per_hour({ money: formatExactMoney(Math.round((cents * 60) / minutes), "USD") })}
            </span>
          </span>
          <ChevronDown
            aria-hidden
            className="size-4.5 shrink-0 text-soft transition-transform duration-150 group-open:rotate-180"
          />
        </summary>
        <p className="px-3 pb-3 pl-13 text-sm text-soft">{why()}</p>
      </details>
    </li>
  );
}
