import { ChevronDown, Pause, Play } from "lucide-react";
import { useEffect, useState } from "react";
import { useIsHydrated } from "../../api/use-is-hydrated.ts";
import { m } from "../../messages/messages.js";
import { formatExactMoney, formatHours, formatMinuteOfDay, formatWeekday } from "../language/format.ts";
import { OutcomeMark } from "../offers/outcome-mark.tsx";
import { EXAMPLE_EVENING, type ExampleOffer } from "./example-evening.ts";

/** How many lines are there at once. */
const LINES = 4;

/** Sixteen offers in about a minute. */
const STEP_MS = 4_500;

/**
 * The dashboard's feed, which plays a minute of a made-up evening once the page has come to life. It stands still where
 * the device asks for less motion, and while somebody reads why. Each line opens without any code.
 */
export function ExampleFeed() {
  const { seen, isPlaying, play, pause } = useEvening();
  const lines = EXAMPLE_EVENING.slice(seen - LINES, seen).toReversed();
  return (
    <figure className="asphalt rounded-card border border-line p-2 shadow-xl" data-testid="example-feed">
      <figcaption className="flex min-h-11 items-center justify-between gap-3 pl-3 text-sm text-soft">
        {m.landing_example()}
        <button
          type="button"
          onClick={isPlaying ? pause : play}
          aria-label={isPlaying ? m.landing_example_pause() : m.landing_example_play()}
          className="grid size-11 shrink-0 place-items-center rounded-field hover:bg-sunken hover:text-ink"
        >
          {isPlaying ? <Pause aria-hidden className="size-4.5" /> : <Play aria-hidden className="size-4.5" />}
        </button>
      </figcaption>
      <ul className="divide-y divide-line">
        {lines.map((offer) => (
          <Line key={EXAMPLE_EVENING.indexOf(offer)} offer={offer} onOpen={pause} />
        ))}
      </ul>
    </figure>
  );
}

function Line({ offer, onOpen }: { offer: ExampleOffer; onOpen: () => void }) {
  const { kind, name, day, minute, minutes, cents, outcome, why } = offer;
  return (
    <li className="transition-opacity duration-180 starting:opacity-0 motion-reduce:transition-none">
      <details name="example" className="group" onToggle={({ newState }) => newState === "open" && onOpen()}>
        <summary className="flex list-none items-center gap-3 rounded-field p-3 hover:bg-sunken [&::-webkit-details-marker]:hidden">
          <OutcomeMark kind={kind} />
          <span className="min-w-0 flex-1">
            <span className="block truncate font-semibold">{name}</span>
            <span className="figures block truncate text-sm text-soft">
              {formatWeekday(day, "short")} {formatMinuteOfDay(minute)} ·{" "}
              {m.unit_hours({ hours: formatHours(minutes) })}
            </span>
            <span className="block truncate text-sm">{outcome()}</span>
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

/** How many offers of the evening have been seen; it starts over at its end. */
function useEvening() {
  const isHydrated = useIsHydrated();
  const [seen, setSeen] = useState(LINES);
  const [choice, setChoice] = useState<"play" | "pause" | null>(null);
  const isStill = isHydrated && matchMedia("(prefers-reduced-motion: reduce)").matches;
  const isPlaying = choice === null ? isHydrated && !isStill : choice === "play";
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) setSeen((known) => (known < EXAMPLE_EVENING.length ? known + 1 : LINES));
    }, STEP_MS);
    return () => clearInterval(timer);
  }, [isPlaying]);
  return { seen, isPlaying, play: () => setChoice("play"), pause: () => setChoice("pause") };
}
