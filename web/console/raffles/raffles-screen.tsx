import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import type { RaffleListResponse } from "../../../worker/contract/console/operator-deployment.ts";
import { DEVICE_TIME_ZONE, formatCount } from "../../features/language/format.ts";
import { formatPlan } from "../../features/payments/payment-labels.ts";
import { CheckResult } from "../../features/raffle/check-result.tsx";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/notices.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useOpened } from "../../ui/use-opened.ts";
import { publishedRaffleQuery, raffleListQuery } from "../calls/deployment.ts";
import { consoleErrorMessage, useOperator } from "../calls/operator.ts";
import { CsvButton } from "../tables/csv-button.tsx";
import { CSV_COLUMNS } from "../tables/csv-columns.ts";
import { DataTable, ListEnd, Section, type Column } from "../tables/data-table.tsx";
import { DrawForm } from "./draw-form.tsx";
import { ReasonForm } from "../forms/reason-form.tsx";
import { formatInstant } from "../../features/language/format-instant.ts";
import { m } from "../messages/messages.js";
import { RaffleForm } from "./raffle-form.tsx";
import { raffleState } from "./raffle-state.ts";

const MINUTE_MS = 60_000;

type Raffle = RaffleListResponse["raffles"][number];
type Open = { kind: "make" } | { kind: "end" | "draw" | "check"; raffle: Raffle };

/** Raffles with their entries; owners announce, end and draw them, and everybody checks the draw. */
export function RafflesScreen() {
  const me = useOperator();
  const { raffles, hasMore } = useSuspenseQuery(raffleListQuery).data;
  const now = useNow(MINUTE_MS);
  const { opened, open, replace, close } = useOpened<Open>();
  const isOwner = me.operator.role === "owner";
  const time = (at: number) => formatInstant(at, { timeZone: DEVICE_TIME_ZONE, now });
  const columns: Column<Raffle>[] = [
    {
      id: "id",
      title: m.raffle_id(),
      renderCell: ({ id }) => (
        <a href={`${me.publicUrl ?? ""}/raffle/${id}`} className="font-semibold underline underline-offset-4">
          {id}
        </a>
      ),
    },
    { id: "plan", title: m.plan(), renderCell: ({ plan }) => formatPlan(plan), isWideOnly: true },
    { id: "from", title: m.from(), renderCell: ({ startsAt }) => time(startsAt), isWideOnly: true },
    { id: "until", title: m.until(), renderCell: ({ endsAt }) => time(endsAt), isWideOnly: true },
    {
      id: "entries",
      title: m.raffle_entries(),
      renderCell: ({ entries }) => formatCount(entries),
      isFigure: true,
    },
    {
      id: "winners",
      title: m.raffle_winners(),
      renderCell: ({ winners }) => formatCount(winners),
      isFigure: true,
      isWideOnly: true,
    },
    {
      id: "state",
      title: m.state(),
      renderCell: (raffle) => {
        const { name, waitsUntil } = raffleState(raffle, now);
        return waitsUntil === null ? name() : `${name()}: ${time(waitsUntil)}`;
      },
    },
    {
      id: "act",
      title: m.change(),
      renderCell: (raffle) => {
        const { next, waitsUntil } = raffleState(raffle, now);
        if (waitsUntil !== null || next === null) return null;
        if (next !== "check" && !isOwner) return null;
        return (
          <Button
            variant="quiet"
            className="-my-2 text-sm"
            aria-haspopup="dialog"
            onClick={() => open({ kind: next, raffle })}
          >
            {{ end: m.end, draw: m.raffle_draw, check: m.raffle_check }[next]()}
          </Button>
        );
      },
    },
  ];
  return (
    <>
      <h1 className="text-2xl">{m.nav_raffles()}</h1>
      <Section
        title={m.nav_raffles()}
        actions={
          <div className="flex flex-wrap items-center gap-2">
            <CsvButton name="raffles" table={m.nav_raffles()} columns={CSV_COLUMNS.raffles} rows={raffles} />
            {isOwner && (
              <Button variant="primary" aria-haspopup="dialog" onClick={() => open({ kind: "make" })}>
                {m.raffle_make()}
              </Button>
            )}
          </div>
        }
      >
        <DataTable
          label={m.nav_raffles()}
          columns={columns}
          rows={raffles}
          rowKey={({ id }) => id}
          empty={m.raffles_none()}
        />
        <ListEnd hasMore={hasMore} count={raffles.length} />
      </Section>
      <section aria-labelledby="raffle-trust" className="grid max-w-prose gap-2">
        <h2 id="raffle-trust" className="text-lg">
          {m.raffle_trust()}
        </h2>
        <p className="text-soft">{m.raffle_trust_text()}</p>
      </section>
      <Sheet open={opened !== null} onClose={close} edge="middle" title={titleOf(opened)}>
        {opened?.kind === "make" && <RaffleForm onClose={close} />}
        {opened?.kind === "end" && (
          <ReasonForm
            note={m.note_end_raffle()}
            submitLabel={m.act_end_raffle()}
            toAct={(reason) => ({ act: "end_raffle", raffle: opened.raffle.id, reason })}
            onClose={close}
          />
        )}
        {opened?.kind === "draw" && (
          <DrawForm
            raffle={opened.raffle}
            onClose={close}
            onDrawn={() => replace({ kind: "check", raffle: opened.raffle })}
          />
        )}
        {opened?.kind === "check" && <PublishedCheck id={opened.raffle.id} />}
      </Sheet>
    </>
  );
}

function titleOf(opened: Open | null): string {
  if (!opened) return "";
  return opened.kind === "make" ? m.raffle_make() : opened.raffle.id;
}

/** Draws again in this browser from what was published, as the raffle's own page does. */
function PublishedCheck({ id }: { id: string }) {
  const me = useOperator();
  const { data, error } = useQuery(publishedRaffleQuery(id));
  if (error) return <FormError title={consoleErrorMessage(error, me)} />;
  if (!data?.draw) return <output className="block">{m.loading()}</output>;
  return (
    <div className="grid gap-4">
      <CheckResult raffle={data} draw={data.draw} />
      <ol className="grid list-decimal gap-1 pl-6">
        {data.draw.winners.map((entry) => (
          <li key={entry}>
            <code className="text-sm wrap-anywhere">{entry}</code>
          </li>
        ))}
      </ol>
    </div>
  );
}
