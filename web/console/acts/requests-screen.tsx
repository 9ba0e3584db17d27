import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { sendOnce } from "../../api/client/send-once.ts";
import { toast } from "sonner";
import type { LimitKind, ReachedLimit, OperatorRequest } from "../../../worker/contract/console/operators.ts";
import { DEVICE_TIME_ZONE, formatCount, formatExactMoney } from "../../features/language/format.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useOpened } from "../../ui/use-opened.ts";
import { ACT_LABELS, currencyIn, formatFacts } from "./act-labels.ts";
import { limitsQuery, postDecision, requestsQuery } from "../calls/acts.ts";
import { QueryState } from "../calls/load-states.tsx";
import { useOperator } from "../calls/operator.ts";
import { CONSOLE_PATHS } from "../console-page.ts";
import { GivenReason } from "../forms/reason-form.tsx";
import { DataTable, ListEnd, Section, type Column } from "../tables/data-table.tsx";
import { formatInstant } from "../../features/language/format-instant.ts";
import { m } from "../messages/messages.js";

const MINUTE_MS = 60_000;

const STATUS = {
  waiting: m.request_waiting,
  approved: m.request_approved,
  declined: m.request_declined,
  expired: m.request_expired,
} satisfies Record<OperatorRequest["status"], () => string>;

const LIMITS = {
  looks: m.limit_looks,
  exports: m.limit_exports,
  worth: m.limit_worth,
  special_prices: m.limit_special_prices,
  gifts: m.limit_gifts,
  refunds: m.limit_refunds,
  numbers: m.limit_numbers,
  access: m.limit_access,
  other: m.limit_other,
} satisfies Record<LimitKind, (inputs: { acts: string }) => string>;

type Decision = { request: OperatorRequest; approve: boolean };

/** Acts that wait for an owner's yes: above support's limits, or such that nobody does alone. */
export function RequestsScreen() {
  const me = useOperator();
  const now = useNow(MINUTE_MS);
  const found = useQuery(requestsQuery);
  const { opened: decision, open, close } = useOpened<Decision>();
  const time = (at: number) => formatInstant(at, { timeZone: DEVICE_TIME_ZONE, now });
  const columns: Column<OperatorRequest>[] = [
    { id: "when", title: m.when(), renderCell: ({ askedAt }) => time(askedAt), isWideOnly: true },
    {
      id: "what",
      title: m.what(),
      renderCell: ({ act, what, reason, worthCents, operator }) => {
        const currency = currencyIn(what) ?? me.currency;
        return (
          <>
            <span className="block font-semibold">{ACT_LABELS[act]()}</span>
            <span className="text-soft">
              {[formatFacts(what, { currency, now }), worthCents > 0 && worthOf(worthCents, currency)]
                .filter(Boolean)
                .join(", ")}
            </span>
            <span className="block wrap-anywhere">{reason}</span>
            <span className="block break-all text-soft md:hidden">{operator}</span>
          </>
        );
      },
    },
    {
      id: "driver",
      title: m.driver(),
      renderCell: ({ driverId, driverName }) => (
        <a href={CONSOLE_PATHS.driver(driverId)} className="font-semibold underline underline-offset-4">
          {driverName ?? driverId.slice(0, 8)}
        </a>
      ),
    },
    {
      id: "who",
      title: m.who(),
      renderCell: ({ operator }) => <span className="break-all">{operator}</span>,
      isWideOnly: true,
    },
    {
      id: "status",
      title: m.status(),
      renderCell: ({ status, expiresAt, decidedBy }) => (
        <>
          <span className={status === "waiting" ? "font-semibold text-warn" : ""}>{STATUS[status]()}</span>
          <span className="block text-soft wrap-anywhere">
            {decidedBy ?? (status === "waiting" ? m.request_until({ time: time(expiresAt) }) : "")}
          </span>
        </>
      ),
    },
    {
      id: "decide",
      title: m.request_decide(),
      renderCell: (request) => <RequestActs request={request} onDecide={open} />,
    },
  ];
  return (
    <>
      <div>
        <h1 className="text-2xl">{m.nav_requests()}</h1>
        <p className="mt-1 text-soft">{m.requests_text()}</p>
      </div>
      <QueryState query={found} className="" />
      {found.data && (
        <Section title={m.nav_requests()}>
          <DataTable
            label={m.nav_requests()}
            columns={columns}
            rows={found.data.requests}
            rowKey={({ id }) => id}
            empty={m.requests_none()}
          />
          <ListEnd hasMore={found.data.hasMore} count={found.data.requests.length} />
        </Section>
      )}
      {me.operator.role === "owner" && <LimitsReached time={time} />}
      <Sheet
        open={decision !== null}
        onClose={close}
        edge="middle"
        title={decision?.approve ? m.request_approve() : m.request_decline()}
      >
        {decision && <DecisionForm {...decision} onClose={close} />}
      </Sheet>
    </>
  );
}

/** The limits of a day that operators reached. An alert names each once. */
function LimitsReached({ time }: { time: (at: number) => string }) {
  const found = useQuery(limitsQuery);
  const columns: Column<ReachedLimit>[] = [
    { id: "when", title: m.when(), renderCell: ({ at }) => time(at) },
    {
      id: "who",
      title: m.who(),
      renderCell: ({ operator }) => <span className="break-all">{operator}</span>,
    },
    {
      id: "what",
      title: m.what(),
      renderCell: ({ kind, acts }) => LIMITS[kind]({ acts: formatCount(acts) }),
    },
  ];
  return (
    <>
      <QueryState query={found} className="" />
      {found.data && (
        <Section title={m.limits_reached()}>
          <DataTable
            label={m.limits_reached()}
            columns={columns}
            rows={found.data.limits}
            rowKey={({ operator, kind }) => `${operator}:${kind}`}
            empty={m.limits_none()}
          />
        </Section>
      )}
    </>
  );
}

function worthOf(cents: number, currency: string): string {
  return m.request_worth({ money: formatExactMoney(cents, currency) });
}

/** An owner decides what somebody else asked for; the two of an export fetch it. */
function RequestActs({
  request,
  onDecide,
}: {
  request: OperatorRequest;
  onDecide: (decision: Decision) => void;
}) {
  const { operator } = useOperator();
  const { status, act, id } = request;
  const isOwn = request.operator === operator.name;
  if (status === "waiting" && operator.role === "owner" && !isOwn)
    return (
      <div className="-my-2 flex flex-wrap">
        {[true, false].map((approve) => (
          <Button
            key={String(approve)}
            variant="quiet"
            className="text-sm"
            aria-haspopup="dialog"
            onClick={() => onDecide({ request, approve })}
          >
            {approve ? m.request_approve() : m.request_decline()}
          </Button>
        ))}
      </div>
    );
  if (status === "approved" && act === "export_data" && (isOwn || request.decidedBy === operator.name))
    return (
      <a
        href={`/ops/v1/requests/${id}/export`}
        download
        className="font-semibold underline underline-offset-4"
      >
        {m.request_fetch()}
      </a>
    );
  return null;
}

function DecisionForm({ request, approve, onClose }: Decision & { onClose: () => void }) {
  const queryClient = useQueryClient();
  const decide = useMutation({
    mutationFn: (reason: string) =>
      sendOnce([request.id, approve], (key) => postDecision(key, request.id, { approve, reason })),
    onSuccess: () => {
      toast.success(m.done());
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries(),
  });
  return (
    <GivenReason
      note={
        approve
          ? m.request_approve_note({ act: ACT_LABELS[request.act](), operator: request.operator })
          : m.request_decline_note()
      }
      submitLabel={approve ? m.request_approve() : m.request_decline()}
      hint={m.field_reason_hint()}
      send={decide.mutateAsync}
      onClose={onClose}
    />
  );
}
