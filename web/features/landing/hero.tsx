import { Link } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { Check, Pause, Play } from "lucide-react";
import { sessionStore } from "../../api/session/session.ts";
import { useIsHydrated } from "../../early/use-is-hydrated.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { useProductName } from "../../api/queries/use-config.ts";
import { RegisterLink } from "../account/register-link.tsx";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { leastPerDay } from "../../../worker/contract/money/public-plans.ts";
import { factToken, SERVED_PARTS } from "../../../worker/contract/served-cases.ts";
import { publicPlansQuery } from "../../api/queries/public-plans.ts";
import { formatCount, formatMoney } from "../language/format.ts";
import { ServedPart } from "../../prerender/served-part.tsx";
import { afterOffer, EXAMPLE_EVENING, EXAMPLE_LINES } from "./example-evening.ts";
import { ExampleLine } from "./example-line.tsx";

/** The product in a few words, above the fold. */
export function Hero() {
  const product = useProductName();
  const isSignedIn = Boolean(useSelector(sessionStore));
  const points = [m.landing_point_rules(), m.landing_point_reasons(), m.landing_point_limits()];
  return (
    <section className="mx-auto grid max-w-(--frame) grid-cols-1 gap-8 px-4 py-8 sm:px-6 lg:grid-cols-2 lg:items-center lg:gap-16 lg:py-16">
      <div className="grid justify-items-start gap-5">
        <h1 className="max-w-[12em] text-[clamp(min(2.25rem,11.5vw),8.5vw,4rem)] lg:text-[min(4rem,5.5vw)] leading-[0.98] font-bold tracking-tight">
          {m.landing_title()}
        </h1>
        <p className="max-w-prose text-lg leading-normal">{m.landing_text({ product })}</p>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
          {isSignedIn ? (
            <Link to="/flex" className={buttonClass("primary", "px-6 text-lg")}>
              {m.nav_open_app({ product })}
            </Link>
          ) : (
            <RegisterLink className={buttonClass("primary", "px-6 text-lg")} />
          )}
          <HeroPrice />
        </div>
        <ul className="grid max-w-prose gap-2">
          {points.map((point) => (
            <li key={point} className="flex gap-3">
              <Check aria-hidden className="mt-1 size-4.5 shrink-0" />
              {point}
            </li>
          ))}
        </ul>
      </div>
      <ExampleFeed />
    </section>
  );
}

/** The least price of a day, above the fold; it leads to the plans. */
function HeroPrice() {
  const { data } = useQuery(publicPlansQuery);
  const least = data && leastPerDay(data.plans);
  return (
    <ServedPart
      name={SERVED_PARTS.leastPrice}
      cases={() => ({ known: <LeastPrice perDay={factToken("day-least")} days={factToken("days-least")} /> })}
      fallback={<PricingLink>{m.nav_pricing()}</PricingLink>}
    >
      {data && least ? (
        <LeastPrice perDay={formatMoney(least.perDayCents, data.currency)} days={formatCount(least.days)} />
      ) : null}
    </ServedPart>
  );
}

function LeastPrice({ perDay, days }: { perDay: string; days: string }) {
  return <PricingLink>{m.landing_price_from({ money: perDay, days })}</PricingLink>;
}

function PricingLink({ children }: { children: ReactNode }) {
  return (
    <Link
      to="/"
      hash="pricing"
      className="figures inline-flex min-h-11 items-center rounded-field text-lg font-semibold underline decoration-1 underline-offset-4"
    >
      {children}
    </Link>
  );
}

/** Sixteen offers in about a minute. */
const STEP_MS = 4_500;

/**
 * The dashboard's feed, which plays a minute of a made-up evening once the page has come to life. It stands still where
 * the device asks for less motion, and while somebody reads why. Each line opens without any code.
 */
function ExampleFeed() {
  const { seen, isPlaying, play, pause } = useEvening();
  const lines = EXAMPLE_EVENING.slice(seen - EXAMPLE_LINES, seen).toReversed();
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
  const [seen, setSeen] = useState(EXAMPLE_LINES);
  const [choice, setChoice] = useState<"play" | "pause" | null>(null);
  const isStill = isHydrated && matchMedia("(prefers-reduced-motion: reduce)").matches;
  const isPlaying = choice === null ? isHydrated && !isStill : choice === "play";
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) setSeen(afterOffer);
    }, STEP_MS);
    return () => clearInterval(timer);
  }, [isPlaying]);
  return { seen, isPlaying, play: () => setChoice("play"), pause: () => setChoice("pause") };
}
