/** Reads a product's database, wherever it is. */
export type ReadRows = (query: string, ...params: string[]) => Record<string, unknown>[];

/** Each query lists what breaks its sentence. */
const NEVER: [sentence: string, query: string][] = [
  [
    "an entry whose debits aren't its credits",
    `SELECT entry, unit, sum(amount) AS amount FROM journal GROUP BY entry, unit HAVING sum(amount) <> 0`,
  ],
  [
    "time in the ledger that is not booked exactly once",
    `SELECT source, duration_ms FROM service_credits c WHERE duration_ms <> 0 AND 1 <> (
       SELECT count(*) FROM journal j WHERE j.account = 'time_owed' AND j.amount = -c.duration_ms
         AND substr(j.entry, -length(c.source) - 1) = ':' || c.source)`,
  ],
  [
    "booked time without its ledger",
    `SELECT count(*) AS booked, (SELECT count(*) FROM service_credits WHERE duration_ms <> 0) AS kept FROM journal
       WHERE account = 'time_owed' AND entry NOT LIKE 'used:%' AND entry NOT LIKE 'untaken-%' HAVING booked <> kept`,
  ],
  [
    "points in the ledger that are not booked exactly once",
    `SELECT source, points FROM point_entries p WHERE points <> 0 AND 1 <> (
       SELECT count(*) FROM journal j WHERE j.account = 'points_owed' AND j.amount = -p.points AND j.entry = 'points:' || p.source)`,
  ],
  [
    "booked points without their ledger",
    `SELECT count(*) AS booked, (SELECT count(*) FROM point_entries WHERE points <> 0) AS kept FROM journal
       WHERE account = 'points_owed' HAVING booked <> kept`,
  ],
  [
    "a payment that is not booked exactly once",
    `SELECT id, total_cents FROM payments p WHERE total_cents > 0 AND (settled_at IS NOT NULL) <> (
       SELECT count(*) FROM journal j WHERE j.payment_id = p.id AND j.account = 'stripe' AND j.entry LIKE '%:paid'
         AND j.amount = p.total_cents AND j.unit = p.currency)`,
  ],
  [
    "a processor's fee that is booked otherwise",
    `SELECT id, processor_fee_cents FROM payments p WHERE settled_at IS NOT NULL AND coalesce(processor_fee_cents, 0) <> (
       SELECT coalesce(sum(amount), 0) FROM journal j WHERE j.payment_id = p.id AND j.account = 'fees'
         AND j.entry = p.id || ':' || substr(j.entry, length(p.id) + 2, instr(substr(j.entry, length(p.id) + 2), ':') - 1) || ':fee')`,
  ],
  [
    "money that went back and is booked otherwise",
    `SELECT id, cents, is_effective FROM payment_refunds r WHERE -r.cents * r.is_effective <> (
       SELECT coalesce(sum(amount), 0) FROM journal j WHERE j.payment_id = r.payment_id
         AND j.account IN ('stripe', 'disputes_held') AND substr(j.entry, -length(r.id) - 1) = ':' || r.id)`,
  ],
  [
    "service given for a payment that was never settled",
    `SELECT source FROM service_credits c WHERE source LIKE 'payment:%' AND NOT EXISTS (
       SELECT 1 FROM payments p WHERE (c.source || ':') LIKE 'payment:' || p.id || ':%' AND p.settled_at IS NOT NULL)`,
  ],
];

/** Lists the faults in a product's own books: none at any moment, also right after a kill. */
export function judgeBooks(rows: ReadRows): string[] {
  return NEVER.flatMap(([sentence, query]) =>
    rows(query).map((row) => `${sentence}: ${JSON.stringify(row)}`),
  );
}

/** Stripe's balance of each payment, by its own transactions. */
export type Balances = ReadonlyMap<string, number>;

/** Where the journal's balance at Stripe differs from Stripe's own, once all that happened is known. */
export function judgeBalances(rows: ReadRows, balances: Balances): string[] {
  const booked = new Map(
    rows(
      `SELECT p.intent_id AS intentId, sum(j.amount) AS cents FROM journal j JOIN payments p ON p.id = j.payment_id
         WHERE j.account = 'stripe' GROUP BY p.intent_id`,
    ).map(({ intentId, cents }) => [String(intentId), Number(cents)]),
  );
  return [...new Set([...booked.keys(), ...balances.keys()])]
    .filter((id) => (booked.get(id) ?? 0) !== (balances.get(id) ?? 0))
    .map((id) => `${id}: ${booked.get(id) ?? 0} are booked, and ${balances.get(id) ?? 0} are at Stripe`);
}

type Transaction = { net: number; source: { payment_intent?: string } | string | null };

/** Stripe's transactions, as its API lists them, by intent. */
export async function readBalances(stripeUrl: string, key: string): Promise<Balances> {
  const balances = new Map<string, number>();
  for (let after = ""; ;) {
    const query = `limit=100&expand[]=data.source${after === "" ? "" : `&starting_after=${after}`}`;
    const response = await fetch(`${stripeUrl}/v1/balance_transactions?${query}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const page = (await response.json()) as { data: (Transaction & { id: string })[]; has_more: boolean };
    for (const { net, source } of page.data) {
      const intentId = typeof source === "object" ? source?.payment_intent : undefined;
      if (intentId !== undefined) balances.set(intentId, (balances.get(intentId) ?? 0) + net);
    }
    after = page.data.at(-1)?.id ?? "";
    if (!page.has_more) return balances;
  }
}
