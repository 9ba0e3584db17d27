import { isOutageSource } from "../../db/shapes/money/ledger-source.ts";
import { listSecurityEvents } from "../../db/queries/accounts/security-events.ts";
import { loadLocks } from "../../db/queries/operators/account-effects.ts";
import { listInvitations, type InvitationRow } from "../../db/queries/rewards/invitations.ts";
import { securityEventName } from "../../db/shapes/security.ts";
import { listActs } from "../../db/queries/operators/acts.ts";
import {
  LISTED_LINES,
  loadDriverForOperator,
  type PaymentForOperator,
  findByEmail,
  findByEnd,
  findByName,
  findByNumber,
} from "../../db/queries/operators/driver.ts";
import { listLiveSessions } from "../../db/queries/identity/sessions.ts";
import { loadPointsLedger } from "../../db/queries/rewards/rewards.ts";
import { readServiceLedger } from "../../db/queries/payments/service-time.ts";
import { loadTextDelivery } from "../../db/queries/texts/delivery.ts";
import type { DriverId, DurationMs } from "../../db/shapes/units.ts";
import { toDriverOwner } from "../../db/queries/accounts/drivers.ts";
import type { Snapshot } from "../../db/shapes/work/live.ts";
import { describeError } from "../../durable/runtime/describe-error.ts";
import { loadRenewalState } from "../payments/renewals/renewal-state.ts";
import type {
  DriverPage,
  DriverSearchResponse,
  PaymentLine,
  DriverLiveResponse,
} from "../contract/console/operator-drivers.ts";
import type { DriverTable } from "../contract/console/operator-exports.ts";
import { describePointEntries } from "../rewards/redeem.ts";
import { loadRecord } from "./act-plans.ts";
import { toActEntry, type ConsoleContext } from "./acts.ts";
import { operatorMark } from "./operator-mark.ts";
import { END_DIGITS, maskButEnd, parseDriverSearch, type DriverSearch } from "./phones.ts";

const FOUND_LIMIT = 20;
const ACTS_LIMIT = 20;
const EVENTS_LIMIT = 20;

/**
 * Drivers by what was typed. Support sees the ends of their numbers, and no more digits narrow its search down: a few guesses
 * each would show the rest, of which no line in the log tells.
 */
export async function searchDrivers(
  { db, deps, operator }: ConsoleContext,
  typed: string,
  size = FOUND_LIMIT,
): Promise<DriverSearchResponse> {
  const search = parseDriverSearch(typed);
  const isMasked = operator.role === "support";
  const found = search ? await find(search) : [];
  deps.log("info", "operator.search", {
    operator: await operatorMark(operator),
    role: operator.role,
    by: search?.kind ?? null,
    found: found.length,
  });
  const drivers = found.slice(0, size).map(({ phoneNumber, ...driver }) => ({
    ...driver,
    phone: shownPhone(isMasked, phoneNumber),
  }));
  return { drivers, hasMore: found.length > size };

  function find(by: DriverSearch) {
    switch (by.kind) {
      case "number":
        return findByNumber(db, by.number, size + 1);
      case "end":
        return findByEnd(db, isMasked ? by.digits.slice(-END_DIGITS) : by.digits, size + 1);
      case "email":
        return findByEmail(db, by.prefix, size + 1);
      case "name":
        return findByName(db, by.words, size + 1);
    }
  }
}

function shownPhone(isMasked: boolean, number: string): string {
  return isMasked ? maskButEnd(number) : number;
}

/**
 * An operator's view of a driver, without the object's data.
 * @throws {ApiError} `not_found`
 */
export async function loadDriverPage(context: ConsoleContext, driverId: DriverId): Promise<DriverPage> {
  const { db, deps, operator } = context;
  const now = deps.now();
  const record = await loadRecord(context, driverId);
  const { role } = operator;
  deps.log("info", "operator.look", { operator: await operatorMark(operator), role, driverId });
  const { row, profile } = record;
  const hasOwnPool = deps.config.identity.kind === "embedded";
  const [own, points, delivery, sessions, acts, renewal, locks, security, invited] = await Promise.all([
    loadDriverForOperator(db, driverId, now),
    loadPointsLedger(db, driverId),
    loadTextDelivery(db, toDriverOwner(record).phoneNumber, now),
    listLiveSessions(db, driverId, now),
    listActs(db, { driverId, before: null, limit: ACTS_LIMIT + 1 }),
    loadRenewalState(context, record),
    hasOwnPool ? loadLocks(db, driverId, now) : null,
    listSecurityEvents(db, driverId, { after: null, limit: EVENTS_LIMIT + 1 }),
    listInvitations(db, driverId),
  ]);
  const isMasked = operator.role === "support";
  const ledger = readServiceLedger(own.service, now);
  const cut: DriverPage["cut"] = [];
  const latest = <Row>(part: DriverTable, rows: readonly Row[], limit = LISTED_LINES): Row[] => {
    if (rows.length > limit) cut.push(part);
    return rows.slice(0, limit);
  };
  return {
    cut,
    driver: {
      id: row.id,
      name: row.name,
      phone: shownPhone(isMasked, row.phoneNumber),
      preferredPhone: row.preferredPhoneNumber && shownPhone(isMasked, row.preferredPhoneNumber),
      isPreferredVerified: row.preferredPhoneVerified,
      isMasked,
      language: row.language,
      humanTimezone: row.humanTimezone,
      humanRegion: row.humanRegion,
      flexEmail: row.flexEmail,
      isLinked: row.proxyInstalled,
      isSwitchedOn: row.switchedOn,
      isWaitingForSpot: row.waitingForSpot,
      isEnabled: own.isEnabled,
      mode: row.mode,
      specialMode: row.specialMode,
      createdAt: row.createdAt,
    },
    service: {
      until: ledger.until,
      unusedMs: [...ledger.unusedMs.values()].reduce((total, ms) => total + ms, 0),
      lines: latest("service", own.service.toReversed()).map(({ source, at }) => ({
        source: isOutageSource(source) ? "outage" : (source.split(":", 1)[0] ?? source),
        appliedMs: ledger.appliedMs.get(source) ?? 0,
        at,
      })),
    },
    points: { balance: points.points, lines: describePointEntries(points.entries, points.redemptions) },
    payments: latest("payments", own.payments).map(toPaymentLine),
    prices: own.prices.map(({ id, plan, priceCents, startsAt, endsAt }) => ({
      id,
      plan,
      priceCents,
      startsAt,
      endsAt,
    })),
    filters: {
      version: profile.filtersVersion,
      filters: profile.filters,
      isComplete: record.filtersComplete,
    },
    texts: {
      delivery,
      sent: latest("texts", own.texts).map(({ id, phoneNumber, status, sentAt }) => ({
        id,
        phone: shownPhone(isMasked, phoneNumber),
        status,
        at: sentAt,
      })),
    },
    sessions: sessions.map(({ browser, system, country, createdAt, lastSeenAt }) => ({
      browser,
      system,
      country,
      createdAt,
      lastSeenAt: Math.max(createdAt, lastSeenAt),
    })),
    renewal,
    locks,
    security: latest("security", security, EVENTS_LIMIT).map(
      ({ userId: _user, hour: _hour, network: _network, event, ...seen }) => ({
        ...seen,
        event: securityEventName.parse(event),
      }),
    ),
    invitations: latest("invitations", invited, EVENTS_LIMIT).map(toInvitation),
    acts: latest("acts", acts, ACTS_LIMIT).map(toActEntry),
  };
}

function toInvitation(row: InvitationRow): DriverPage["invitations"][number] {
  const { id, phoneNumber, friendId, completedAt, revokedAt, withheld, createdAt: at } = row;
  const status =
    revokedAt !== null
      ? "revoked"
      : completedAt !== null
        ? "completed"
        : friendId !== null
          ? "registered"
          : "sent";
  return { id, phone: phoneNumber && maskButEnd(phoneNumber), friendId, status, withheld, at };
}

function toPaymentLine(payment: PaymentForOperator): PaymentLine {
  const { driverId: _driver, intentId, revision: _revision, settledAt, createdAt, ...line } = payment;
  const isPaid = line.status === "settled" || line.status === "partly_refunded";
  const leftCents = line.totalCents - line.refundedCents - line.orderedCents;
  return {
    ...line,
    canCheck: intentId !== null && settledAt === null,
    refundableCents: isPaid && intentId !== null ? Math.max(0, leftCents) : 0,
    at: settledAt ?? createdAt,
  };
}

/** An operator who looks at a driver does not wait longer for the object. */
const ANSWERS_WITHIN_MS: DurationMs = 8_000;

/** The driver's dashboard now, or why the object has none. */
export async function loadDriverLive(
  { deps }: Pick<ConsoleContext, "deps">,
  driverId: DriverId,
): Promise<DriverLiveResponse> {
  try {
    return { snapshot: await withinTime(deps.driver(driverId).snapshot()), failure: null };
  } catch (error) {
    const described = describeError(error);
    deps.log("error", "console.live.failed", { driverId, ...described });
    const thrown = [described, ...described.causes];
    // The caller's own frames say nothing of the object.
    const place = thrown.findLast(({ frames }) => frames.length > 0)?.frames[0] ?? null;
    return { snapshot: null, failure: { errors: thrown.map((one) => one.error), place } };
  }
}

async function withinTime(answer: Promise<Snapshot>): Promise<Snapshot> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ObjectLateError()), ANSWERS_WITHIN_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The object did not answer in time. */
class ObjectLateError extends Error {
  override name = "ObjectLateError";
}
