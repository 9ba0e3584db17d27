import * as z from "zod/mini";
import { parseDaySpan, splitDays, UsageError } from "./arguments.ts";
import type { ConsoleClient } from "./console-client.ts";

/** The most days that the console compares in one call. */
const MOST_DAYS = 31;

const openAlerts = z.object({
  alerts: z.array(
    z.discriminatedUnion("about", [
      z.object({
        about: z.literal("payment"),
        kind: z.string(),
        paymentId: z.nullable(z.string()),
        intentId: z.nullable(z.string()),
        at: z.number(),
      }),
      z.object({ about: z.literal("service"), name: z.string(), reason: z.string(), at: z.number() }),
    ]),
  ),
  hasMore: z.boolean(),
});
const reconciliation = z.object({
  payments: z.number(),
  paidCents: z.number(),
  differences: z.array(
    z.object({
      paymentId: z.nullable(z.string()),
      intentId: z.nullable(z.string()),
      what: z.string(),
      stripe: z.string(),
      ours: z.string(),
    }),
  ),
});
const journal = z.object({
  closedUntil: z.nullable(z.string()),
  balance: z.array(z.object({ account: z.string(), unit: z.string(), amount: z.number() })),
  lines: z.array(
    z.object({
      day: z.string(),
      entry: z.string(),
      account: z.string(),
      unit: z.string(),
      amount: z.number(),
      paymentId: z.nullable(z.string()),
    }),
  ),
  hasMore: z.boolean(),
});
type Reconciliation = z.infer<typeof reconciliation>;

/** A check's findings: its lines, and whether anything is wrong. */
export type Checked = { lines: string[]; isWell: boolean };

/** `npm run ops -- alerts|reconcile|balance|journal`: they change nothing, and end with 1 where something is wrong. */
export const CONSOLE_CHECKS: Readonly<
  Record<string, (client: ConsoleClient, values: Readonly<Record<string, unknown>>) => Promise<Checked>>
> = {
  alerts: async (client) => {
    const { alerts, hasMore } = await client.get("/alerts", openAlerts);
    const lines = alerts.map((alert) => {
      const about =
        alert.about === "payment"
          ? `${alert.kind}  payment ${alert.paymentId ?? "none"}  intent ${alert.intentId ?? "none"}`
          : `${alert.name}  ${alert.reason}`;
      return `${new Date(alert.at).toISOString()}  ${about}`;
    });
    const count = `${alerts.length} open alerts${hasMore ? ", and more" : ""}`;
    return { lines: [...lines, count], isWell: alerts.length === 0 };
  },
  /** The trial balance: each unit must add up to nothing. */
  balance: async (client, { to }) => {
    const { balance, closedUntil } = await client.get(journalOf(to, to), journal);
    const sums = new Map<string, number>();
    for (const { unit, amount } of balance) sums.set(unit, (sums.get(unit) ?? 0) + amount);
    return {
      lines: [
        ...balance.map(({ account, unit, amount }) => `${account}  ${unit}  ${amount}`),
        ...[...sums].map(([unit, sum]) => `${unit} adds up to ${sum}`),
        `closed until ${closedUntil ?? "no day"}`,
      ],
      isWell: [...sums.values()].every((sum) => sum === 0),
    };
  },
  /** The lines of some days as CSV. */
  journal: async (client, { from, to }) => {
    const { lines, hasMore } = await client.get(journalOf(from, to), journal);
    const rows = lines.map(({ day, entry, account, unit, amount, paymentId }) =>
      [day, entry, account, unit, amount, paymentId ?? ""].join(","),
    );
    return { lines: ["day,entry,account,unit,amount,payment", ...rows], isWell: !hasMore };
  },
  reconcile: async (client, { from, to }) => {
    const span = parseDaySpan(from, to);
    if (!span) throw new UsageError();
    const parts: Reconciliation[] = [];
    for (const days of splitDays(span, MOST_DAYS))
      parts.push(await client.get(`/reconcile?from=${days.from}&to=${days.to}`, reconciliation));
    const differences = parts.flatMap((part) => part.differences);
    const sum = (of: (part: Reconciliation) => number) => parts.reduce((total, part) => total + of(part), 0);
    const paid = (sum(({ paidCents }) => paidCents) / 100).toFixed(2);
    return {
      lines: [
        ...differences.map(
          ({ what, paymentId, intentId, stripe, ours }) =>
            `${what}  payment ${paymentId ?? "none"}  intent ${intentId ?? "none"}  Stripe ${stripe}  ours ${ours}`,
        ),
        `${sum(({ payments }) => payments)} paid, ${paid} in all, ${differences.length} differences`,
      ],
      isWell: differences.length === 0,
    };
  },
};

/** The path of the journal of some days, which the console takes as they were typed. */
function journalOf(from: unknown, to: unknown): string {
  if (!parseDaySpan(from, to)) throw new UsageError();
  return `/journal?from=${String(from)}&to=${String(to)}`;
}
