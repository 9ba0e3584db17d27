import { useQuery } from "@tanstack/react-query";
import type { ErrorsResponse } from "../../../worker/contract/console/voice.ts";
import { DEVICE_TIME_ZONE, formatCount } from "../../features/language/format.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useOpened } from "../../ui/use-opened.ts";
import { errorsQuery } from "../calls/voice.ts";
import { CsvButton } from "../tables/csv-button.tsx";
import { CSV_COLUMNS } from "../tables/csv-columns.ts";
import { DataTable, ListEnd, Section, type Column } from "../tables/data-table.tsx";
import { ERROR_STATUS_LABELS } from "./voice-labels.ts";
import { formatInstant } from "../../features/language/format-instant.ts";
import { m } from "../messages/messages.js";
import { useOperator } from "../calls/operator.ts";
import { ReasonForm } from "../forms/reason-form.tsx";
import { QueryState } from "../calls/load-states.tsx";

type PageError = ErrorsResponse["errors"][number];

const MINUTE_MS = 60_000;

/** Errors in pages, each once; owners resolve an entry or open it again. */
export function ErrorsSection() {
  const me = useOperator();
  const now = useNow(MINUTE_MS);
  const found = useQuery(errorsQuery);
  const { opened, open, close } = useOpened<PageError>();
  const isOwner = me.operator.role === "owner";
  const time = (at: number) => formatInstant(at, { timeZone: DEVICE_TIME_ZONE, now });
  const columns: Column<PageError>[] = [
    { id: "error", title: m.error(), renderCell: (error) => <ErrorCell error={error} /> },
    {
      id: "reports",
      title: m.error_reports(),
      renderCell: ({ reports }) => formatCount(reports),
      isFigure: true,
    },
    {
      id: "drivers",
      title: m.error_drivers(),
      renderCell: ({ drivers }) => formatCount(drivers),
      isFigure: true,
      isWideOnly: true,
    },
    {
      id: "first",
      title: m.error_first(),
      renderCell: ({ firstSeenAt }) => time(firstSeenAt),
      isWideOnly: true,
    },
    { id: "last", title: m.error_last(), renderCell: ({ lastSeenAt }) => time(lastSeenAt), isWideOnly: true },
    {
      id: "versions",
      title: m.error_versions(),
      renderCell: ({ versions }) => versions.map(({ version }) => version).join(", "),
      isWideOnly: true,
    },
    {
      id: "status",
      title: m.status(),
      renderCell: (error) => (
        <>
          <span className="block">{ERROR_STATUS_LABELS[error.status]()}</span>
          {isOwner && (
            <Button
              variant="quiet"
              className="-mx-4 text-sm"
              aria-haspopup="dialog"
              onClick={() => open(error)}
            >
              {changeOf(error).label}
            </Button>
          )}
        </>
      ),
    },
  ];
  return (
    <Section
      title={m.errors()}
      note={m.errors_note()}
      actions={
        <CsvButton
          name="errors"
          table={m.errors()}
          columns={CSV_COLUMNS.errors}
          rows={found.data?.errors ?? []}
        />
      }
    >
      <QueryState query={found} />
      {found.data && (
        <>
          <DataTable
            label={m.errors()}
            columns={columns}
            rows={found.data.errors}
            rowKey={({ id }) => id}
            empty={m.errors_none()}
          />
          <ListEnd hasMore={found.data.hasMore} count={found.data.errors.length} />
        </>
      )}
      <Sheet open={opened !== null} onClose={close} edge="middle" title={opened?.name ?? ""}>
        {opened && <ErrorForm error={opened} onClose={close} />}
      </Sheet>
    </Section>
  );
}

/** An entry is resolved, or opened again once it is. */
export function changeOf({ status, message, caller }: PageError) {
  return status === "resolved"
    ? { act: "reopen_error" as const, label: m.error_reopen(), note: message ?? caller }
    : { act: "resolve_error" as const, label: m.error_resolve(), note: m.error_resolve_note() };
}

function ErrorForm({ error, onClose }: { error: PageError; onClose: () => void }) {
  const { act, label, note } = changeOf(error);
  return (
    <ReasonForm
      note={note}
      submitLabel={label}
      toAct={(reason) => ({ act, errorId: error.id, reason })}
      onClose={onClose}
    />
  );
}

function ErrorCell({ error: { name, message, place, caller, requestId, stack } }: { error: PageError }) {
  return (
    <div className="min-w-32 break-words sm:max-w-md sm:min-w-40">
      <span className="block font-semibold">{message ? `${name}: ${message}` : name}</span>
      <span className="block text-soft">{[caller, place].filter(Boolean).join(", ")}</span>
      <details>
        <summary className="min-h-11 content-center">{m.error_stack()}</summary>
        <p className="text-soft select-all">{m.error_request({ id: requestId })}</p>
        {stack && (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what overflows is scrolled by keys
          <pre tabIndex={0} className="max-h-60 overflow-auto text-xs whitespace-pre-wrap">
            {stack}
          </pre>
        )}
      </details>
    </div>
  );
}
