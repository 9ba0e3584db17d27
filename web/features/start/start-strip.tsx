import { Link } from "@tanstack/react-router";
import { Check } from "lucide-react";
import { m } from "../../messages/messages.js";
import { START_STEPS, type StartStep } from "./start-step.ts";

const LABELS = {
  number: m.start_number,
  link: m.start_link,
  warehouses: m.start_warehouses,
  days: m.start_days,
  on: m.start_on,
} satisfies Record<StartStep, () => string>;

const NEXT_LABELS = {
  number: m.start_number,
  link: m.start_next_link,
  warehouses: m.start_next_warehouses,
  days: m.start_next_days,
  on: m.start_next_on,
} satisfies Record<StartStep, () => string>;

/** Where a step's screen is; the number is proved by then. */
const PATHS = {
  number: null,
  link: "/flex/login",
  warehouses: "/flex/filters",
  days: "/flex/payments",
  on: "/flex/dashboard",
} as const satisfies Record<StartStep, string | null>;

/** One above the other where a desk has its side rail, as wide as that is, so that nothing moves when it takes its place. */
const RAIL = {
  nav: "lg:w-[calc(9rem+80px)] lg:shrink-0",
  list: "lg:grid-cols-1",
  step: "lg:min-h-11 lg:content-center lg:border-t-0 lg:border-l-4 lg:py-1 lg:pl-3 lg:text-base",
};

/**
 * The five steps of a new driver: what is done, what is being done, and what comes next.
 * @param isInRail whether they stand in the place of a desk's side rail
 */
export function StartStrip({
  step,
  isDone = false,
  isInRail = false,
}: {
  step: StartStep;
  isDone?: boolean;
  isInRail?: boolean;
}) {
  const rail = isInRail ? RAIL : { nav: "", list: "", step: "" };
  const current = START_STEPS.indexOf(step) + (isDone ? 1 : 0);
  const next = START_STEPS[current + 1];
  return (
    <nav
      aria-label={m.start_steps()}
      data-testid="start-strip"
      className={`@container grid content-start gap-2 pb-4 ${rail.nav}`}
    >
      <ol className={`grid grid-cols-5 gap-1.5 ${rail.list}`}>
        {START_STEPS.map((known, index) => (
          <li
            key={known}
            aria-current={index === current ? "step" : undefined}
            className={`grid min-w-0 content-start border-t-4 pt-1 text-xs @min-[30rem]:text-sm ${rail.step} ${
              index < current
                ? "border-edge text-soft"
                : index === current
                  ? "border-ink font-semibold"
                  : "border-line text-soft"
            }`}
          >
            <StepName step={known} isDone={index < current} />
          </li>
        ))}
      </ol>
      <p className="text-sm sm:sr-only">
        <span className="figures font-semibold">
          {isDone ? m.start_finished() : m.start_step_of({ step: current + 1, name: LABELS[step]() })}
        </span>
        {next && <span className="text-soft"> {NEXT_LABELS[next]()}</span>}
      </p>
    </nav>
  );
}

/** On a phone only the line beneath has room for a name. */
function StepName({ step, isDone }: { step: StartStep; isDone: boolean }) {
  const name = (
    <>
      {isDone && <Check aria-hidden className="mt-0.5 size-4 shrink-0" />}
      <span className="max-sm:sr-only">{LABELS[step]()}</span>
      {isDone && <span className="sr-only">{m.start_done()}</span>}
    </>
  );
  const path = PATHS[step];
  // A finished step may be changed; linking again would unlink first.
  if (!isDone || path === null || step === "link") return <span className="flex gap-1">{name}</span>;
  return (
    <>
      <Link to={path} className="flex min-h-11 gap-1 underline-offset-4 hover:underline max-sm:hidden">
        {name}
      </Link>
      <span className="flex gap-1 sm:hidden">{name}</span>
    </>
  );
}
