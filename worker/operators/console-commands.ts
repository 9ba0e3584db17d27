import * as z from "zod/mini";
import { planForSale } from "../../db/shapes/money/plans.ts";
import { DAY_MS, type EpochMs } from "../../db/shapes/units.ts";
import { parseDaySpan, UsageError, nearestNames } from "./arguments.ts";
import { ConsoleError, type ConsoleClient } from "./console-client.ts";
import { raffleAct, seedFor } from "./raffles.ts";

/** The arguments after the command's name. */
export type Typed = {
  driver: string | undefined;
  values: Readonly<Record<string, unknown>>;
  /** RAFFLE_PASSPHRASE. */
  passphrase?: string | undefined;
};
type Command = (client: ConsoleClient, typed: Typed, now: EpochMs) => Promise<string[]>;

const found = z.object({
  drivers: z.array(
    z.object({ id: z.string(), name: z.string(), phone: z.string(), humanRegion: z.nullable(z.string()) }),
  ),
  hasMore: z.boolean(),
});
const named = z.object({ driver: z.object({ name: z.string(), phone: z.string() }) });
const page = z.object({
  driver: z.object({ name: z.string(), phone: z.string(), isSwitchedOn: z.boolean(), isLinked: z.boolean() }),
  service: z.object({ until: z.nullable(z.number()) }),
  points: z.object({ balance: z.number() }),
  payments: z.array(
    z.object({
      id: z.string(),
      plan: z.string(),
      status: z.string(),
      totalCents: z.number(),
      refundedCents: z.number(),
      currency: z.string(),
    }),
  ),
});
const preview = z.object({
  steps: z.array(z.object({ at: z.number(), listCents: z.number(), payCents: z.number() })),
});
const live = z.object({
  snapshot: z.nullable(z.object({ phase: z.looseObject({ kind: z.string() }) })),
  /** Where the object throws or does not answer. */
  failure: z.optional(z.nullable(z.object({ errors: z.array(z.string()) }))),
});
const facts = z.record(z.string(), z.unknown());
const done = z.object({
  status: z.string(),
  act: z.object({ id: z.string(), act: z.string(), before: facts, after: facts }),
});
const cities = z.object({
  cities: z.array(
    z.object({ city: z.string(), spots: z.nullable(z.number()), taken: z.number(), waiting: z.number() }),
  ),
});

/** `npm run ops -- <name> …`, through the console's own routes. */
export const CONSOLE_COMMANDS: Readonly<Record<string, Command>> = {
  driver: showDriver,
  grant: async (client, typed) => {
    const { days, points } = typed.values;
    if ((days === undefined) === (points === undefined)) throw new UsageError();
    const figure =
      days === undefined ? { act: "points", points: whole(points) } : { act: "days", days: whole(days) };
    return actOn(client, typed, figure);
  },
  refund: async (client, typed) => {
    const { payment, amount, "keeps-days": keepsDays } = typed.values;
    if (typeof payment !== "string") throw new UsageError();
    return actOn(client, typed, {
      act: "refund",
      paymentId: payment,
      cents: toCents(amount),
      keepsDays: keepsDays === true,
    });
  },
  price: async (client, typed, now) => {
    const { plan, amount, for: forDays, from, to } = typed.values;
    const sold = z.safeParse(planForSale, plan);
    if (!sold.success) throw new UsageError();
    const cut = { plan: sold.data, priceCents: toCents(amount) };
    if (typed.driver !== undefined)
      return actOn(client, typed, { act: "special_price", ...cut, endsAt: now + whole(forDays) * DAY_MS });
    const span = parseDaySpan(from, to);
    if (!span) throw new UsageError();
    return actOnAll(client, typed, { act: "sale", ...cut, startsAt: span.from, endsAt: span.to });
  },
  "list-price": async (client, typed) => {
    const price = parseListPrice(typed.values);
    if (!price) throw new UsageError();
    const { plan, priceCents, startsAt } = price;
    const question = `plan=${plan}&priceCents=${priceCents}${startsAt === null ? "" : `&startsAt=${startsAt}`}`;
    const { steps } = await client.get(`/prices/preview?${question}`, preview);
    const shown = steps.map(
      ({ at, listCents, payCents }) =>
        `${new Date(at).toISOString()}  ${plan}  ${(payCents / 100).toFixed(2)}${payCents === listCents ? "" : `  list price ${(listCents / 100).toFixed(2)}`}`,
    );
    if (typed.values["dry-run"] === true) return shown;
    return [...shown, ...(await actOnAll(client, typed, { act: "list_price", ...price }))];
  },
  promotion: async (client, { values, passphrase, driver }) => {
    const made = await raffleAct({ values, passphrase });
    if (!made) throw new UsageError();
    const lines = await actOnAll(client, { driver, values }, made.act);
    return [
      ...lines,
      `fingerprint  ${made.seedHash}`,
      `page         <PUBLIC_URL>/raffle/${String(values["id"])}`,
    ];
  },
  draw: async (client, typed) => {
    const { id, signature } = typed.values;
    if (typeof id !== "string") throw new UsageError();
    const seed = await seedFor(client, id, { passphrase: undefined, ...typed });
    const beacon = typeof signature === "string" ? { signature } : {};
    return actOnAll(client, typed, { act: "draw", raffle: id, seed, ...beacon });
  },
  "after-restore": (client, typed) => actOnAll(client, typed, { act: "after_restore" }),
  "release-renewals": (client, typed) => actOnAll(client, typed, { act: "release_renewals" }),
  "revoke-keys": (client, typed) => actOnAll(client, typed, { act: "revoke_keys" }),
  "rotate-keys": (client, typed) => actOnAll(client, typed, { act: "rotate_keys" }),
  /** Gives points to each driver in a raffle whose seed is lost. */
  "compensate-raffle": async (client, typed) => {
    const { id, points } = typed.values;
    if (typeof id !== "string") throw new UsageError();
    return actOnAll(client, typed, { act: "compensate_raffle", raffle: id, points: whole(points) });
  },
  "end-sessions": (client, typed) => actOnAll(client, typed, { act: "end_sessions" }),
  disable: (client, typed) => actOn(client, typed, { act: "disable" }),
  enable: (client, typed) => actOn(client, typed, { act: "enable" }),
  spots: async (client, typed) => {
    const { city, spots } = typed.values;
    const change = city === undefined && spots === undefined ? [] : await changeSpots(client, typed);
    const list = (await client.get("/cities", cities)).cities;
    return [
      ...change,
      ...list.map(
        ({ city: name, spots: limit, taken, waiting }) =>
          `${name}  ${limit === null ? "no limit" : `${limit} spots`}  ${taken} taken  ${waiting} waiting`,
      ),
    ];
  },
};

/** Changes the spots of a city. A first limit of one that no driver is in needs `--new-city`. */
async function changeSpots(client: ConsoleClient, typed: Typed): Promise<string[]> {
  const { city, spots } = typed.values;
  const isNewCity = typed.values["new-city"] === true;
  try {
    return await actOnAll(client, typed, {
      act: "city_spots",
      city,
      spots: spots === "none" ? null : whole(spots),
      ...(isNewCity && { isNewCity }),
    });
  } catch (error) {
    if (!(error instanceof ConsoleError) || error.fields["city"] !== "invalid" || isNewCity) throw error;
    const known = (await client.get("/cities", cities)).cities.map(({ city: name }) => name);
    const nearest = nearestNames(String(city), known);
    throw new ConsoleError(
      [
        `No driver is in "${String(city)}".`,
        nearest.length > 0 ? ` The nearest known: ${nearest.map((name) => `"${name}"`).join(", ")}.` : "",
        " If any city has a limit, drivers link before they first pay. If you mean it, add --new-city.",
      ].join(""),
      error.fields,
    );
  }
}

/** A list price from the beginning of a day in UTC, or at once; null if something is malformed. */
function parseListPrice({ plan, amount, from }: Typed["values"]) {
  const sold = z.safeParse(planForSale, plan);
  const span = from === undefined ? null : parseDaySpan(from, from);
  if (!sold.success || (from !== undefined && span === null)) return null;
  return { plan: sold.data, priceCents: toCents(amount), startsAt: span?.from ?? null };
}

async function showDriver(client: ConsoleClient, typed: Typed): Promise<string[]> {
  if (typed.driver === undefined) throw new UsageError();
  const { drivers, hasMore } = await search(client, typed.driver);
  const [one] = drivers;
  if (!one || drivers.length > 1) {
    const lines = drivers.map(
      ({ id, name, phone, humanRegion }) => `${id}  ${name}  ${phone}  ${humanRegion ?? ""}`,
    );
    return [...lines, hasMore ? "and more" : `${drivers.length} found`];
  }
  const [{ driver, service, points, payments }, { snapshot, failure }] = await Promise.all([
    client.get(`/drivers/${one.id}`, page),
    client.get(`/drivers/${one.id}/live`, live),
  ]);
  const state = snapshot?.phase.kind ?? `no answer (${(failure?.errors ?? []).join(", ")})`;
  return [
    `${one.id}  ${driver.name}  ${driver.phone}`,
    `state    ${state}, ${driver.isSwitchedOn ? "on" : "off"}, ${driver.isLinked ? "linked" : "not linked"}`,
    `service  ${service.until === null ? "never had any" : `until ${new Date(service.until).toISOString()}`}`,
    `points   ${points.balance}`,
    ...payments.map(
      ({ id, plan, status, totalCents, refundedCents, currency }) =>
        `payment  ${id}  ${plan}  ${status}  ${(totalCents / 100).toFixed(2)} ${currency}, ${(refundedCents / 100).toFixed(2)} refunded`,
    ),
  ];
}

/** Does an act to the one driver that was named. */
async function actOn(client: ConsoleClient, typed: Typed, act: object): Promise<string[]> {
  if (typed.driver === undefined) throw new UsageError();
  const { drivers } = await search(client, typed.driver);
  const [one] = drivers;
  if (!one) throw new ConsoleError("Nobody was found.");
  if (drivers.length > 1)
    throw new ConsoleError(
      `${drivers.length} drivers were found: give the whole number, or the id that the command driver prints.`,
    );
  // Support's search goes by the end alone, so that a mistyped digit before it would find another driver.
  const digits = typed.driver.replaceAll(/[\s().-]/g, "");
  if (one.phone.startsWith("•") && /^\d{5,9}$/.test(digits))
    throw new ConsoleError(
      "Give the whole number, its last four digits, or the id that the command driver prints.",
    );
  return describe(
    await client.act(`/drivers/${one.id}/acts`, { ...act, reason: reasonOf(typed) }, done),
    one.name,
  );
}

async function actOnAll(client: ConsoleClient, typed: Typed, act: object): Promise<string[]> {
  return describe(await client.act("/acts", { ...act, reason: reasonOf(typed) }, done), "everybody");
}

const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The drivers that were meant. An id means one, also where another has entered the number for their texts. */
async function search(client: ConsoleClient, typed: string): Promise<z.output<typeof found>> {
  if (!ID.test(typed)) return client.get(`/drivers?q=${encodeURIComponent(typed)}`, found);
  const { driver } = await client.get(`/drivers/${typed}`, named);
  return { drivers: [{ id: typed, humanRegion: null, ...driver }], hasMore: false };
}

function describe({ status, act }: z.infer<typeof done>, whom: string): string[] {
  return [`${act.act}  ${whom}  ${status}  ${JSON.stringify(act.before)} → ${JSON.stringify(act.after)}`];
}

function reasonOf({ values: { reason } }: Typed): string {
  if (typeof reason !== "string" || reason.trim().length < 3) throw new UsageError();
  return reason;
}

function whole(typed: unknown): number {
  if (typeof typed !== "string" || !/^[+-]?\d{1,7}$/.test(typed)) throw new UsageError();
  return Number(typed);
}

function toCents(typed: unknown): number {
  if (typeof typed !== "string" || !/^\d{1,7}(\.\d{2})?$/.test(typed)) throw new UsageError();
  return Math.round(Number(typed) * 100);
}
