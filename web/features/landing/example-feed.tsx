import { Pause, Play } from "lucide-react";
import { useEffect, useState } from "react";
import { useIsHydrated } from "../../early/use-is-hydrated.ts";
import { m } from "../../messages/messages.js";
import { EXAMPLE_EVENING } from "./example-evening.ts";
import { ExampleLine } from "./example-line.tsx";

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
          <ExampleLine key={EXAMPLE_EVENING.indexOf(offer)} offer={offer} onOpen={pause} />
        ))}
      </ul>
    </figure>
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
