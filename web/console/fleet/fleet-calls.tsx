import type { AnswerKind } from "../../../db/shapes/fleet.ts";
import type { FleetResponse } from "../../../worker/contract/console/fleet.ts";
import { formatCount, formatPercent } from "../../features/language/format.ts";
import { CsvButton } from "../tables/csv-button.tsx";
import { DataTable, Section, type Column } from "../tables/data-table.tsx";
import { m } from "../messages/messages.js";

const ANSWER_LABELS = {
  answered: m.answer_ok,
  unauthorized: m.answer_401,
  forbidden: m.answer_403,
  limited: m.answer_429,
  failed: m.answer_5xx,
  nameNotFound: m.answer_dns,
  untrusted: m.answer_tls,
  notListening: m.answer_not_listening,
  disconnected: m.answer_disconnected,
  timedOut: m.answer_timeout,
  unreadable: m.answer_unreadable,
  refused: m.answer_refused,
} satisfies Record<AnswerKind, () => string>;

type Answer = { label: string; calls: number };

/** How the platform answered, by status. */
export function FleetAnswers({ answers }: { answers: FleetResponse["answers"] }) {
  const rows = Object.entries(ANSWER_LABELS).map(([kind, label]): Answer => {
    const calls = Object.entries(answers).find(([name]) => name === kind)?.[1] ?? 0;
    return { label: label(), calls };
  });
  const total = rows.reduce((sum, { calls }) => sum + calls, 0);
  const columns: Column<Answer>[] = [
    { id: "answer", title: m.answer(), renderCell: ({ label }) => label },
    { id: "calls", title: m.answer_calls(), renderCell: ({ calls }) => formatCount(calls), isFigure: true },
    shareColumn(({ calls }) => calls, total),
  ];
  return (
    <div id="answers" className="min-w-0">
      <Section
        title={m.answers()}
        actions={
          <CsvButton
            name="answers"
            table={m.answers()}
            columns={() => [
              { title: m.answer(), value: ({ label }) => label },
              { title: m.answer_calls(), value: ({ calls }) => calls },
            ]}
            rows={rows}
          />
        }
      >
        <DataTable
          label={m.answers()}
          columns={columns}
          rows={rows}
          rowKey={({ label }) => label}
          empty={m.nothing()}
        />
      </Section>
    </div>
  );
}

type Bin = FleetResponse["lateness"]["bins"][number];

/** How late polls left, against when they were due. */
export function FleetLateness({ lateness }: { lateness: FleetResponse["lateness"] }) {
  const { bins, polls, p50Ms, p95Ms, p99Ms } = lateness;
  const columns: Column<Bin>[] = [
    { id: "within", title: m.late_within(), renderCell: ({ withinMs }) => formatEdge(withinMs) },
    { id: "polls", title: m.late_polls(), renderCell: (bin) => formatCount(bin.polls), isFigure: true },
    shareColumn((bin) => bin.polls, polls),
  ];
  return (
    <Section
      title={m.late()}
      actions={
        <CsvButton
          name="lateness"
          table={m.late()}
          columns={() => [
            { title: m.late_within(), value: ({ withinMs }) => formatEdge(withinMs) },
            { title: m.late_polls(), value: (bin) => bin.polls },
          ]}
          rows={bins}
        />
      }
      note={
        polls === 0
          ? m.late_none()
          : m.late_note({ p50: formatEdge(p50Ms), p95: formatEdge(p95Ms), p99: formatEdge(p99Ms) })
      }
    >
      <DataTable
        label={m.late()}
        columns={columns}
        rows={bins}
        rowKey={({ withinMs }) => String(withinMs)}
        empty={m.nothing()}
      />
    </Section>
  );
}

function shareColumn<Row>(countOf: (row: Row) => number, total: number): Column<Row> {
  return {
    id: "share",
    title: m.share(),
    renderCell: (row) =>
      total === 0 ? "–" : formatPercent(Math.round((countOf(row) / total) * 1000) * 1000),
    isFigure: true,
  };
}

function formatEdge(ms: number | null): string {
  if (ms === null) return m.late_more({ seconds: formatCount(10) });
  return ms < 1000
    ? m.late_ms({ count: formatCount(ms) })
    : m.late_seconds({ count: formatCount(ms / 1000) });
}
