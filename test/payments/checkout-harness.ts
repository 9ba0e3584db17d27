import type { SQLInputValue } from "node:sqlite";
import { vi } from "vitest";
import { loadDriver, type DriverRecord } from "../../db/queries/accounts/drivers.ts";
import { loadLastPaymentId } from "../../db/queries/payments/payments.ts";
import type { PlanForSale } from "../../db/shapes/money/plans.ts";
import type { ServiceChange } from "../../db/shapes/profile.ts";
import { driverId as driverIdShape, type DriverId } from "../../db/shapes/units.ts";
import { createDeps } from "../../durable/deps.ts";
import type { Log } from "../../durable/runtime/log.ts";
import type { PrepareInput, RenewalConsent } from "../../worker/contract/money/payments.ts";
import type { CardCheckoutContext } from "../../worker/payments/checkout.ts";
import { preparePayment } from "../../worker/payments/prepare-payment.ts";
import { prepareIntent } from "../../worker/payments/prepare.ts";
import { priceForDriver } from "../../worker/payments/prices/quote.ts";
import { CardProcessorError } from "../../worker/payments/stripe/responses.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";
import { Bank } from "./bank.ts";
import { insertDriver, type GivenDriver } from "../support/driver-insert.ts";

export const NOW = Date.parse("2026-11-21T12:00:00Z");
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const DRIVER = driverIdShape.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");

/** The full amount of each plan: price and fee. */
export const FULL = { "3days": 3523, "7days": 5022, "14days": 9062, "30days": 17_118 } as const;

export const refuse =
  (facts: ConstructorParameters<typeof CardProcessorError>[1] = {}) =>
  () => {
    throw new CardProcessorError("refused", facts);
  };
export const losePath =
  (facts: ConstructorParameters<typeof CardProcessorError>[1] = {}) =>
  () => {
    throw new CardProcessorError("unreachable", facts);
  };

/** The object's notifications. */
type Delivery = { name: string; owner: string; serviceUntil: number | null; changes: ServiceChange[] };

/** Payments over a database in memory, a bank in memory, and a clock that tests move. */
export function openCheckout(settings: Record<string, unknown> = {}, onStatement?: () => void) {
  const database = migratedDatabase();
  const clock = { now: NOW };
  const bank = new Bank();
  const told: Delivery[] = [];
  const object = { phase: "polling", isDown: false };
  const namespace = {
    getByName: (name: string) => ({
      configure: async (
        owner: { driverId: string },
        profile: { serviceUntil: number | null },
        changes: ServiceChange[],
      ) => {
        if (object.isDown) throw new Error("the object is down");
        told.push({ name, owner: owner.driverId, serviceUntil: profile.serviceUntil, changes });
      },
      snapshot: async () => ({ phase: { kind: object.phase }, isLinked: object.phase !== "needs_link" }),
    }),
  };
  const env = {
    ...DEMO_SETTINGS,
    ...settings,
    DB: bindD1(database, undefined, onStatement),
    DRIVER: namespace,
    ASSETS: {},
  };
  const log = vi.fn<Log>();
  const deps = { ...createDeps(env), now: () => clock.now, log };
  const checkout: CardCheckoutContext = { deps, db: deps.db, cards: bank.processor };
  const rows = (query: string, ...params: SQLInputValue[]) => database.prepare(query).all(...params);
  const run = (query: string, ...params: SQLInputValue[]) => void database.prepare(query).run(...params);

  return {
    bank,
    checkout,
    clock,
    /** The database, which outlives every process. */
    database,
    env,
    log,
    object,
    rows,
    run,
    told,
    /** The same without cards: no keys are set. */
    cardless: { ...checkout, cards: null },
    /** A driver's record as it is now. */
    async driver(driverId = DRIVER): Promise<DriverRecord> {
      const driver = await loadDriver(deps.db, driverId);
      if (!driver) throw new Error("there is no driver");
      return driver;
    },
    /** Adds a driver, with service until so many milliseconds from now. */
    addDriver(driverId = DRIVER, { serviceMs = 0, change = {} }: NewDriver = {}): void {
      insertDriver(database, {
        id: driverId,
        phoneNumber: `+1555${driverId.slice(-7)}`,
        switchedOn: true,
        createdAt: NOW,
        ...change,
      });
      if (serviceMs > 0)
        run(
          `INSERT INTO service_credits (source, driver_id, duration_ms, at) VALUES (?, ?, ?, ?)`,
          `test:${driverId}`,
          driverId,
          serviceMs,
          clock.now,
        );
    },
    givePoints(points: number, driverId = DRIVER): void {
      run(
        `INSERT INTO point_entries (source, driver_id, points, at) VALUES (?, ?, ?, ?)`,
        `test:${driverId}`,
        driverId,
        points,
        clock.now,
      );
    },
    /** A payment as it is stored now; the latest unless named. */
    payment: (id?: string) =>
      id === undefined
        ? rows(`SELECT * FROM payments ORDER BY created_at DESC, rowid DESC LIMIT 1`)[0]
        : rows(`SELECT * FROM payments WHERE id = ?`, id)[0],
    /** The facts of each line of an event, which must have this level. */
    lines: (level: Parameters<Log>[0], event: string) =>
      log.mock.calls
        .filter(([, name]) => name === event)
        .map(([written, , facts]) => (written === level ? facts : written)),
  };
}

type NewDriver = {
  serviceMs?: number;
  change?: Omit<GivenDriver, "id">;
};

export type Checkout = ReturnType<typeof openCheckout>;

/** Prepares a payment, for a week unless told: the first of a driver's has the intent `pi_2`. @returns its id */
export async function prepareWeek(
  at: Checkout,
  {
    driverId = DRIVER,
    renewal = null,
    plan = "7days",
  }: { driverId?: DriverId; renewal?: RenewalConsent | null; plan?: PlanForSale } = {},
): Promise<string> {
  const driver = await at.driver(driverId);
  const { order } = await priceForDriver(at.checkout, driver, { plan, points: 0, priceId: null });
  const knownPaymentId = await loadLastPaymentId(at.checkout.db, driverId);
  const prepared = await prepareIntent(at.checkout, {
    driver,
    order,
    knownPaymentId,
    renewal,
    savesCard: false,
  });
  if (prepared.kind !== "ready") throw new Error(prepared.kind);
  return prepared.payment.id;
}

/** A payment whose intent was never made. */
export async function prepareWithoutIntent(at: Checkout): Promise<void> {
  at.bank.during("createIntent", losePath());
  const driver = await at.driver();
  const { order } = await priceForDriver(at.checkout, driver, { plan: "7days", points: 0, priceId: null });
  const request = { driver, order, knownPaymentId: null, renewal: null, savesCard: false };
  await prepareIntent(at.checkout, request).catch(() => null);
}

export function open(settings: Record<string, unknown> = {}, change: NewDriver["change"] = {}): Checkout {
  const at = openCheckout(settings);
  at.addDriver(DRIVER, { change });
  return at;
}

export async function pay(at: Checkout, input: Partial<PrepareInput> = {}) {
  const { plan = "7days" } = input;
  const wish = { plan, points: 0, totalCents: FULL[plan], lastPaymentId: null, ...input };
  return preparePayment(at.checkout, await at.driver(), wish);
}

/** Declined cards, so many minutes ago. */
export function decline(at: Checkout, ...minutesAgo: number[]): void {
  at.run(
    `INSERT INTO payments (id, driver_id, intent_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, created_at, revision)
     VALUES ('old', ?, 'pi_old', '7days', 'abandoned', 'USD', 4987, 0, 0, 0, 35, 5022, 0, 0, 1)`,
    DRIVER,
  );
  for (const [index, minutes] of minutesAgo.entries())
    at.run(
      `INSERT INTO stripe_events (id, type, intent_id, received_at) VALUES (?, 'payment_intent.payment_failed', 'pi_old', ?)`,
      `evt_${index}`,
      NOW - minutes * MINUTE_MS,
    );
}

/** A sale for everybody, or with `driverId` a price for one. */
export function sell(
  at: Checkout,
  { plan = "7days", cents = 4000, driverId = null, endsAt = NOW + HOUR_MS }: Partial<Sale> = {},
): void {
  const kind = driverId === null ? "flash_sale" : "special_price";
  at.run(
    `INSERT INTO price_cuts (id, kind, plan, price_cents, driver_id, starts_at, ends_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    `sale-${plan}`,
    kind,
    plan,
    cents,
    driverId,
    NOW - HOUR_MS,
    endsAt,
  );
}
export type Sale = { plan: string; cents: number; driverId: string | null; endsAt: number };

export function raffle(at: Checkout, { id = "raffle", plan = "14days", endsAt = NOW + DAY_MS } = {}): void {
  at.run(
    `INSERT INTO promotions (id, plan, starts_at, ends_at, winners, seed_hash) VALUES (?, ?, ?, ?, 10, 'hash')`,
    id,
    plan,
    NOW - DAY_MS,
    endsAt,
  );
}

export const plainQuote = {
  plan: "7days",
  currency: "USD",
  priceId: "7days-1",
  priceCents: 4987,
  discount: null,
  discountKind: null,
  discountCents: 0,
  points: 0,
  pointsCents: 0,
  feeCents: 35,
  totalCents: 5022,
  serviceUntil: NOW + 7 * DAY_MS,
  entersRaffle: false,
  renewalCapCents: 5022,
};
