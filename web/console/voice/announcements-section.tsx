import { useQuery } from "@tanstack/react-query";
import type { OperatorAnnouncements } from "../../../worker/contract/console/voice.ts";
import { DEVICE_TIME_ZONE, formatCount } from "../../features/language/format.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useOpened } from "../../ui/use-opened.ts";
import { AnnouncementForm } from "./announcement-form.tsx";
import { audienceLabel } from "./voice-labels.ts";
import { announcementListQuery } from "../calls/voice.ts";
import { CsvButton } from "../tables/csv-button.tsx";
import { CSV_COLUMNS } from "../tables/csv-columns.ts";
import { DataTable, ListEnd, Section, type Column } from "../tables/data-table.tsx";
import { formatInstant } from "../../features/language/format-instant.ts";
import { m } from "../messages/messages.js";
import { getLocale } from "../messages/runtime.js";
import { useOperator } from "../calls/operator.ts";
import { ReasonForm } from "../forms/reason-form.tsx";
import { QueryState } from "../calls/load-states.tsx";

type Line = OperatorAnnouncements["announcements"][number];
type Open = { kind: "make" } | { kind: "end"; line: Line };

const MINUTE_MS = 60_000;

/** Past, present and future announcements; owners announce and withdraw. */
export function AnnouncementsSection() {
  const me = useOperator();
  const minute = useNow(MINUTE_MS);
  const found = useQuery(announcementListQuery);
  // An announcement withdrawn a moment ago is over now, not with the next minute.
  const now = Math.max(minute, found.dataUpdatedAt);
  const { opened, open, close } = useOpened<Open>();
  const isOwner = me.operator.role === "owner";
  const time = (at: number) => formatInstant(at, { timeZone: DEVICE_TIME_ZONE, now });
  const columns: Column<Line>[] = [
    {
      id: "line",
      title: m.what(),
      renderCell: ({ text, audience, endsAt, pushes }) => (
        <>
          <span className="block min-w-40 break-words">{text[getLocale()]}</span>
          <span className="block text-soft md:hidden">
            {[audienceLabel(audience), `${m.until()} ${time(endsAt)}`].filter(Boolean).join(", ")}
            <Pushes pushes={pushes} />
          </span>
        </>
      ),
    },
    {
      id: "audience",
      title: m.announce_audience(),
      renderCell: ({ audience }) => audienceLabel(audience),
      isWideOnly: true,
    },
    { id: "from", title: m.from(), renderCell: ({ startsAt }) => time(startsAt), isWideOnly: true },
    { id: "until", title: m.until(), renderCell: ({ endsAt }) => time(endsAt), isWideOnly: true },
    {
      id: "told",
      title: m.announce_told(),
      renderCell: ({ told, isTold }) => `${formatCount(told)}${isTold ? "" : "…"}`,
      isFigure: true,
      isWideOnly: true,
    },
    {
      id: "pushes",
      title: m.announce_pushes(),
      renderCell: ({ pushes }) => <Pushes pushes={pushes} />,
      isWideOnly: true,
    },
    {
      id: "status",
      title: m.status(),
      renderCell: (line) =>
        isOwner && line.endsAt > now ? (
          <Button
            variant="quiet"
            className="-mx-4 -my-2 text-sm"
            aria-haspopup="dialog"
            onClick={() => open({ kind: "end", line })}
          >
            {m.announce_take_back()}
          </Button>
        ) : (
          statusLabel(line, now)
        ),
    },
  ];
  return (
    <Section
      title={m.announcements()}
      note={m.announcements_note()}
      actions={
        <div className="flex flex-wrap items-center gap-2">
          <CsvButton
            name="announcements"
            table={m.announcements()}
            columns={CSV_COLUMNS.announcements}
            rows={found.data?.announcements ?? []}
          />
          {isOwner && (
            <Button variant="primary" aria-haspopup="dialog" onClick={() => open({ kind: "make" })}>
              {m.announce()}
            </Button>
          )}
        </div>
      }
    >
      <QueryState query={found} />
      {found.data && (
        <>
          <DataTable
            label={m.announcements()}
            columns={columns}
            rows={found.data.announcements}
            rowKey={({ id }) => id}
            empty={m.announcements_none()}
          />
          <ListEnd hasMore={found.data.hasMore} count={found.data.announcements.length} />
        </>
      )}
      <Sheet
        open={opened !== null}
        onClose={close}
        edge="middle"
        title={opened?.kind === "end" ? m.act_end_announcement() : m.announce()}
      >
        {opened?.kind === "make" && <AnnouncementForm cities={found.data?.cities ?? []} onClose={close} />}
        {opened?.kind === "end" && (
          <ReasonForm
            note={m.announce_take_back_note()}
            submitLabel={m.announce_take_back()}
            toAct={(reason) => ({ act: "end_announcement", announcementId: opened.line.id, reason })}
            onClose={close}
          />
        )}
      </Sheet>
    </Section>
  );
}

function statusLabel({ startsAt, endsAt }: Line, now: number): string {
  if (endsAt <= now) return m.announce_over();
  return startsAt > now ? m.announce_ahead() : m.announce_now();
}

/** How many browsers were reached, and those that were not or are still to be, where there are any. */
function Pushes({ pushes: { sent, failed, pending } }: Pick<Line, "pushes">) {
  return (
    <>
      <span className="block">{m.pushes_sent({ count: formatCount(sent) })}</span>
      {failed > 0 && <span className="block">{m.pushes_failed({ count: formatCount(failed) })}</span>}
      {pending > 0 && <span className="block">{m.pushes_pending({ count: formatCount(pending) })}</span>}
    </>
  );
}
