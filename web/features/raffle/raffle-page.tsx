import { useQuery } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { Ticket } from "lucide-react";
import type { Raffle, RaffleDraw } from "../../../worker/contract/money/raffles.ts";
import { raffleQuery, rafflesQuery } from "../../api/queries/rewards.ts";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { sessionStore } from "../../api/session/session.ts";
import { m } from "../../messages/messages.js";
import { ButtonLink } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { useNow } from "../../ui/use-now.ts";
import { LoadErrorPanel } from "../errors/load-error.tsx";
import { errorText } from "../language/error-messages.ts";
import { countInputs, DEVICE_TIME_ZONE, formatLongDate, formatTime } from "../language/format.ts";
import { currentLocale } from "../language/locale.ts";
import { CheckResult } from "./check-result.tsx";

const MINUTE_MS = 60_000;

/** A raffle for everybody: what it is, its fingerprint, and after the draw the proof. */
export function RafflePage({ id }: { id: string }) {
  const { data: raffle, error, refetch } = useQuery({ ...raffleQuery(id), retry: 1 });
  return (
    <TitledPage width="reading" title={m.raffle_title()} text={m.raffle_lead()}>
      {/* As tall as while it loads, so that what is below stays where it is. */}
      <div className="grid min-h-[80dvh] grid-cols-1 content-start gap-6">
        {raffle ? (
          <Details raffle={raffle} />
        ) : error === null ? (
          <Skeleton className="h-[80dvh]" />
        ) : errorCodeOf(error) === "not_found" ? (
          <StatusPanel Icon={Ticket} title={m.raffle_unknown()}>
            {m.raffle_unknown_text()}
          </StatusPanel>
        ) : (
          <LoadErrorPanel title={m.raffle_failed()} onRetry={() => void refetch()}>
            {errorText(error)}
          </LoadErrorPanel>
        )}
      </div>
    </TitledPage>
  );
}

function Details({ raffle }: { raffle: Raffle }) {
  const { startsAt, endsAt, prize, winners, entries, seedHash, hasBeacon, closing, isCompensated, draw } =
    raffle;
  const now = useNow(MINUTE_MS);
  const own = useOwnEntries(raffle.id);
  // The last day, not the midnight after it.
  const dates = {
    from: formatLongDate(startsAt, DEVICE_TIME_ZONE),
    to: formatLongDate(endsAt - 1, DEVICE_TIME_ZONE),
  };
  return (
    <>
      <dl className="card grid gap-4 p-5" data-testid="raffle">
        {prize && <Fact name={m.raffle_prize()}>{prize[currentLocale()]}</Fact>}
        <Fact name={m.raffle_dates()}>{m.raffle_dates_span(dates)}</Fact>
        <Fact name={m.raffle_entries()}>
          {m.raffle_entries_count(countInputs(entries))}, {m.raffle_winners_count(countInputs(winners))}
        </Fact>
        <Fact name={m.raffle_fingerprint()}>
          <code className="text-sm wrap-anywhere">{seedHash}</code>
        </Fact>
        {closing && (
          <>
            <Fact name={m.raffle_list()}>
              <code className="text-sm wrap-anywhere">{closing.entriesHash}</code>
            </Fact>
            <Fact name={m.raffle_round()}>
              {m.raffle_round_at({
                round: closing.round,
                time: formatTime(closing.roundAt, { timeZone: DEVICE_TIME_ZONE, now }),
              })}
            </Fact>
          </>
        )}
        {draw && (
          <Fact name={m.raffle_seed()}>
            <code className="text-sm wrap-anywhere">{draw.seed}</code>
          </Fact>
        )}
        {draw?.signature && (
          <Fact name={m.raffle_signature()}>
            <code className="text-sm wrap-anywhere">{draw.signature}</code>
          </Fact>
        )}
      </dl>
      {draw ? (
        <Drawn raffle={raffle} draw={draw} own={own} />
      ) : (
        <div className="grid gap-2">
          <p className="text-soft">{isCompensated ? m.raffle_compensated() : m.raffle_not_drawn()}</p>
          <OwnEntries own={own} />
        </div>
      )}
      <section aria-labelledby="raffle-how" className="grid gap-2">
        <h2 id="raffle-how" className="text-xl">
          {m.raffle_how()}
        </h2>
        {hasBeacon ? (
          <>
            <p className="max-w-prose">{m.raffle_how_beacon()}</p>
            <p className="max-w-prose">{m.raffle_how_number()}</p>
          </>
        ) : (
          <p className="max-w-prose">{m.raffle_how_text()}</p>
        )}
        <p className="mt-2">
          <ButtonLink href={`/status/raffles/${raffle.id}`}>{m.raffle_data()}</ButtonLink>
        </p>
      </section>
    </>
  );
}

function Drawn({ raffle, draw, own }: { raffle: Raffle; draw: RaffleDraw; own: readonly string[] }) {
  return (
    <>
      <CheckResult raffle={raffle} draw={draw} />
      <section aria-labelledby="raffle-winners" className="grid gap-2">
        <h2 id="raffle-winners" className="text-xl">
          {m.raffle_winners()}
        </h2>
        <ol className="grid gap-1">
          {draw.winners.map((entry, at) => (
            <li key={entry} className="figures flex flex-wrap items-baseline gap-x-3">
              <span className="w-6 text-right text-soft">{at + 1}</span>
              <code className="text-sm wrap-anywhere">{entry}</code>
              {own.includes(entry) && <strong className="text-good">{m.raffle_yours()}</strong>}
            </li>
          ))}
        </ol>
        <OwnEntries own={own} />
      </section>
    </>
  );
}

function OwnEntries({ own }: { own: readonly string[] }) {
  if (own.length === 0) return null;
  return (
    <p className="max-w-prose text-soft">
      {m.raffle_own()} <code className="text-sm wrap-anywhere">{own.join(", ")}</code>
    </p>
  );
}

/** Those of the driver who looks; none for everybody else. */
function useOwnEntries(id: string): readonly string[] {
  const isSignedIn = Boolean(useSelector(sessionStore));
  const { data } = useQuery({ ...rafflesQuery, enabled: isSignedIn });
  return data?.raffles.find((raffle) => raffle.id === id)?.entries ?? [];
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-soft">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
