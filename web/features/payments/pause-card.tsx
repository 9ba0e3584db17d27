import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState, type RefObject } from "react";
import { PAUSE_LIMITS, type PauseObstacle, type PauseResponse } from "../../../db/shapes/money/pause.ts";
import { DAY_MS, MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { cacheResponse } from "../../api/client/query-client.ts";
import { beginPause, endPause, pauseQuery } from "../../api/queries/service-time.ts";
import { plansQuery } from "../../api/queries/payments.ts";
import { renewalQuery } from "../../api/queries/saved-cards.ts";
import { userQuery } from "../../api/queries/user.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/notices.tsx";
import { Stepper } from "../../ui/inputs/stepper.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useOnline } from "../../ui/use-online.ts";
import { errorMessage } from "../language/error-messages.ts";
import { formatCount, formatDays, formatUntil } from "../language/format.ts";
import { useUser } from "../session/use-user.ts";

const FIRST_DAYS = 3;

/** Pausing the days of service, and going on before the end. Nothing for a driver who has no service. */
export function PauseCard() {
  const { data } = useQuery(pauseQuery);
  const now = useNow(MINUTE_MS);
  const card = useRef<HTMLDivElement>(null);
  if (data === undefined || (data.serviceUntil ?? 0) <= now) return null;
  const isPaused = data.pausedUntil !== null && data.pausedUntil > now;
  return (
    <TitledSection id="pause" title={m.pause_title()}>
      <div
        ref={card}
        tabIndex={-1}
        className="card grid gap-4 p-4 sm:p-5"
        data-testid="pause"
        data-paused={isPaused}
      >
        {isPaused ? (
          <Paused
            until={data.pausedUntil ?? now}
            serviceUntil={data.serviceUntil ?? now}
            {...{ now, card }}
          />
        ) : data.obstacle === null ? (
          <Begin pause={data} {...{ now, card }} />
        ) : (
          <p className="max-w-prose text-sm text-soft">{OBSTACLES[data.obstacle]()}</p>
        )}
      </div>
    </TitledSection>
  );
}

const OBSTACLES = {
  short: m.pause_obstacle_short,
  waiting: m.pause_obstacle_waiting,
  contested: m.pause_obstacle_contested,
  used_up: m.pause_obstacle_used_up,
} satisfies Record<PauseObstacle, () => string>;

type Card = RefObject<HTMLDivElement | null>;

function Begin({
  pause: { daysLeft, pausesLeft },
  now,
  card,
}: {
  pause: PauseResponse;
  now: EpochMs;
  card: Card;
}) {
  const { humanTimezone: timeZone } = useUser();
  const [wanted, setDays] = useState(FIRST_DAYS);
  const days = Math.min(wanted, daysLeft);
  const { change, isHeld, error } = usePauseChange(card, () => beginPause(days));
  return (
    <>
      <p className="max-w-prose text-sm text-soft">
        {m.pause_text({ days: formatDays(PAUSE_LIMITS.days), pauses: formatCount(PAUSE_LIMITS.pauses) })}
      </p>
      <p className="figures text-sm">
        {m.pause_left({ days: formatDays(daysLeft), pauses: formatCount(pausesLeft) })}
      </p>
      <div className="flex flex-wrap items-end gap-3">
        <Stepper
          label={m.pause_days()}
          value={days}
          formattedValue={formatDays(days)}
          step={1}
          min={1}
          max={daysLeft}
          onChange={setDays}
        />
        <Button aria-disabled={isHeld} onClick={change}>
          {m.pause_begin({ until: formatUntil(now + days * DAY_MS, { timeZone, now }) })}
        </Button>
      </div>
      {error && <FormError title={m.pause_failed()} hint={errorMessage(error)} />}
    </>
  );
}

function Paused({
  until,
  serviceUntil,
  now,
  card,
}: {
  until: EpochMs;
  serviceUntil: EpochMs;
  now: EpochMs;
  card: Card;
}) {
  const { humanTimezone: timeZone } = useUser();
  const { change, isHeld, error } = usePauseChange(card, endPause);
  const reading = { timeZone, now };
  return (
    <>
      <div className="figures grid gap-0.5">
        <p className="font-semibold">{m.pause_on({ until: formatUntil(until, reading) })}</p>
        <p className="text-sm text-soft">{m.pause_on_text({ until: formatUntil(serviceUntil, reading) })}</p>
      </div>
      <Button className="justify-self-start" aria-disabled={isHeld} onClick={change}>
        {m.pause_end()}
      </Button>
      {error && <FormError title={m.pause_failed()} hint={errorMessage(error)} />}
    </>
  );
}

function usePauseChange(card: Card, send: () => Promise<PauseResponse>) {
  const queryClient = useQueryClient();
  const isOnline = useOnline();
  const { mutate, isPending, error } = useMutation({
    mutationFn: send,
    onSuccess: (saved) => {
      // The pressed button goes with the state that it changed, and would take the keyboard's focus with it.
      if (card.current?.contains(document.activeElement)) card.current.focus();
      cacheResponse(queryClient, pauseQuery, saved);
      for (const { queryKey } of [plansQuery, renewalQuery, userQuery])
        void queryClient.invalidateQueries({ queryKey });
    },
  });
  const isHeld = isPending || !isOnline;
  return { change: () => isHeld || mutate(), isHeld, error };
}
