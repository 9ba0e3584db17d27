import * as z from "zod/mini";
import type { EpochMs } from "../../db/shapes/units.ts";
import type { Query } from "./reconcile-span.ts";

const paymentAlerts = z.array(
  z.object({
    kind: z.string(),
    payment_id: z.nullable(z.string()),
    intent_id: z.nullable(z.string()),
    at: z.number(),
  }),
);
const serviceAlerts = z.array(z.object({ name: z.string(), reason: z.string(), since: z.number() }));

/** What an operator must look at, one line each: money without service, ceilings of texts, the text gateway. */
export async function formatOpenAlerts(query: Query, now: EpochMs): Promise<string[]> {
  const payments = z.parse(
    paymentAlerts,
    await query(
      "SELECT kind, payment_id, intent_id, at FROM payment_alerts WHERE resolved_at IS NULL ORDER BY at",
    ),
  );
  const others = z.parse(
    serviceAlerts,
    await query(`SELECT name, reason, since FROM service_alerts WHERE until > ${now} ORDER BY since`),
  );
  const time = (at: EpochMs) => new Date(at).toISOString();
  return [
    ...payments.map(
      ({ kind, payment_id: payment, intent_id: intent, at }) =>
        `${time(at)}  ${kind}  payment ${payment ?? "none"}  intent ${intent ?? "none"}`,
    ),
    ...others.map(({ name, reason, since }) => `${time(since)}  ${name}  ${reason}`),
  ];
}
