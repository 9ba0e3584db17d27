import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { CalendarDays, CalendarPlus, CalendarX2 } from "lucide-react";
import { useId, useState } from "react";
import type { User } from "../../../worker/contract/account/user.ts";
import type { CalendarSummary } from "../../../worker/contract/account/calendar.ts";
import { cacheResponse } from "../../api/client/query-client.ts";
import { sessionsQuery } from "../../api/queries/account.ts";
import {
  calendarQuery,
  fetchCalendarAddress,
  makeCalendar,
  removeCalendar,
  resumeCalendar,
  setCalendarPay,
} from "../../api/queries/calendar.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { handFocusOn } from "../../ui/hand-focus-on.ts";
import { FormError } from "../../ui/notices.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Switch } from "../../ui/inputs/switch.tsx";
import { toast } from "../../ui/toast.ts";
import { useOnline } from "../../ui/use-online.ts";
import { withFreshSignIn } from "../account/fresh-sign-in-sheet.tsx";
import { LoadBoundary, LoadError, type CaughtError } from "../errors/load-error.tsx";
import { errorMessage } from "../language/error-messages.ts";
import { formatDate } from "../language/format.ts";
import { CalendarLink } from "./calendar-link.tsx";
import { ProfileCard } from "./profile-card.tsx";

/** The driver's blocks in a calendar of theirs. */
export function CalendarCard({ user }: { user: User }) {
  return (
    <ProfileCard title={m.calendar_title()}>
      <LoadBoundary skeleton={<Skeleton className="h-24" />} errorComponent={CalendarError}>
        <Calendar timeZone={user.humanTimezone} />
      </LoadBoundary>
    </ProfileCard>
  );
}

function Calendar({ timeZone }: { timeZone: string }) {
  const { data: calendar } = useSuspenseQuery(calendarQuery);
  const [address, setAddress] = useState<string | null>(null);
  const { change, show, error, isPending, isChanging } = useCalendarChanges(setAddress);
  const failure = error && <FormError title={m.calendar_failed()} hint={errorMessage(error)} />;
  const press = () => {
    if (calendar === null) change({ kind: "make", withPay: false });
    else if (calendar.isPaused) change({ kind: "resume", calendar });
    else show();
  };
  return (
    <>
      {calendar === null ? (
        <p className="text-soft">{m.calendar_text()}</p>
      ) : (
        <CalendarState calendar={calendar} timeZone={timeZone} />
      )}
      {/* The open sheet covers the card. */}
      {address === null && failure}
      <div className="flex flex-wrap gap-3">
        {/* One button, so that it keeps the focus while what it does changes. */}
        <Button aria-disabled={isPending} onClick={press}>
          {calendar === null && <CalendarPlus aria-hidden className="size-4.5" />}
          {calendar?.isPaused === false && <CalendarDays aria-hidden className="size-4.5" />}
          {calendar === null
            ? isChanging
              ? m.calendar_adding()
              : m.calendar_add()
            : calendar.isPaused
              ? m.calendar_resume()
              : m.calendar_show()}
        </Button>
        {calendar && <RemoveCalendar isPending={isPending} onRemove={() => change({ kind: "remove" })} />}
      </div>
      {calendar && (
        <PaySwitch
          withPay={calendar.withPay}
          isPending={isPending}
          onChange={(withPay) => change({ kind: "pay", withPay })}
        />
      )}
      <Sheet
        open={address !== null}
        onClose={() => setAddress(null)}
        edge="middle"
        title={m.calendar_address_title()}
      >
        {address !== null && calendar && (
          <CalendarLink
            address={address}
            isPending={isPending}
            failure={failure}
            onRenew={() => change({ kind: "make", withPay: calendar.withPay })}
          />
        )}
      </Sheet>
    </>
  );
}

type Change =
  | { kind: "make" | "pay"; withPay: boolean }
  | { kind: "resume"; calendar: CalendarSummary }
  | { kind: "remove" };

/** The changes of the calendar address; `onAddress` gets one to show. */
function useCalendarChanges(onAddress: (address: string) => void) {
  const queryClient = useQueryClient();
  const send = async (change: Change): Promise<CalendarSummary | null> => {
    switch (change.kind) {
      case "make": {
        const { calendar, address } = await withFreshSignIn(() => makeCalendar(change));
        onAddress(address);
        return calendar;
      }
      case "pay":
        return setCalendarPay(change.withPay);
      case "resume":
        return withFreshSignIn(() => resumeCalendar(change.calendar.feedId));
      case "remove":
        return removeCalendar();
    }
  };
  const changing = useMutation({
    mutationFn: send,
    onSuccess: (calendar, { kind }) => {
      cacheResponse(queryClient, calendarQuery, calendar);
      // The sessions say which of them has it.
      if (kind !== "pay") void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      if (kind === "remove") toast(m.calendar_removed());
      if (kind === "resume") toast(m.calendar_resumed());
    },
  });
  const showing = useMutation({
    mutationFn: () => withFreshSignIn(fetchCalendarAddress),
    onSuccess: onAddress,
  });
  const isOnline = useOnline();
  // Without a connection nothing can be changed, as while something is.
  const isPending = !isOnline || changing.isPending || showing.isPending;
  return {
    isPending,
    isChanging: changing.isPending,
    // Each press has its own outcome alone.
    error: changing.error ?? showing.error,
    change: (change: Change) => {
      if (isPending) return;
      showing.reset();
      changing.mutate(change);
    },
    show: () => {
      if (isPending) return;
      changing.reset();
      showing.mutate();
    },
  };
}

function CalendarState({ calendar, timeZone }: { calendar: CalendarSummary; timeZone: string }) {
  if (calendar.isPaused) return <p className="text-warn">{m.calendar_paused()}</p>;
  const date = formatDate(calendar.createdAt, timeZone);
  return <p className="text-soft figures">{m.calendar_since({ date })}</p>;
}

function PaySwitch({
  withPay,
  isPending,
  onChange,
}: {
  withPay: boolean;
  isPending: boolean;
  onChange: (withPay: boolean) => void;
}) {
  const textId = useId();
  return (
    <div className="flex items-center justify-between gap-4">
      <p id={textId}>{m.calendar_pay_text()}</p>
      <Switch
        checked={withPay}
        disabled={isPending}
        label={m.calendar_pay()}
        describedBy={textId}
        onChange={onChange}
      />
    </div>
  );
}

/** Asks first: calendars that use the address go empty, and a new address must be added to each again. */
function RemoveCalendar({ isPending, onRemove }: { isPending: boolean; onRemove: () => void }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        ref={handFocusOn}
        variant="danger"
        aria-disabled={isPending}
        onClick={() => isPending || setAsking(true)}
      >
        {m.calendar_remove()}
      </Button>
      <Sheet
        open={isAsking}
        onClose={() => setAsking(false)}
        edge="middle"
        role="alertdialog"
        title={m.calendar_remove_title()}
      >
        <p className="text-soft">{m.calendar_remove_text()}</p>
        <div className="mt-4 grid gap-3">
          <Button
            variant="danger"
            onClick={() => {
              setAsking(false);
              onRemove();
            }}
          >
            {m.calendar_remove()}
          </Button>
          <Button variant="quiet" onClick={() => setAsking(false)}>
            {m.cancel()}
          </Button>
        </div>
      </Sheet>
    </>
  );
}

function CalendarError(caught: CaughtError) {
  return <LoadError {...caught} isPart Icon={CalendarX2} title={m.calendar_load_failed()} />;
}
