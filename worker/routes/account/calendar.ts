import { Hono, type Context } from "hono";
import * as z from "zod";
import { toDriverOwner } from "../../../db/queries/accounts/drivers.ts";
import type { CalendarFeed, CalendarBlock } from "../../../db/shapes/work/calendar.ts";
import {
  HOUR_MS,
  DAY_MS,
  hourlyPay,
  MINUTE_MS,
  type EpochMs,
  driverId,
  type DriverId,
} from "../../../db/shapes/units.ts";
import type { Language } from "../../../db/shapes/language.ts";
import { dateOfDay } from "../../../db/shapes/work/local-date.ts";
import { dayOf, tryZone } from "../../../durable/engine/schedule/zone.ts";
import type { CalendarRead } from "../../../durable/runtime/driver-rpc.ts";
import { toCalendarFile, type CalendarEntry } from "../../../locales/calendar-file.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import { formatHours, formatMoney } from "../../../locales/format.ts";
import type { Keys } from "../../../durable/runtime/keys.ts";
import {
  calendarFileParams,
  calendarInput,
  calendarSessionInput,
  type CalendarAddressResponse,
  type CalendarResponse,
  type CalendarSummary,
} from "../../contract/account/calendar.ts";
import { notifyOwner } from "../../accounts/account-notices.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { freshSignIn } from "../../http/gate/fresh-sign-in.ts";
import { opens, type Opening } from "../../http/gate/gate.ts";
import { noteSecurity } from "../../http/gate/note-security.ts";
import { createRateLimiter, requireUnderLimit } from "../../http/rate-limiter.ts";
import { outliveCaller } from "../../http/request-scope.ts";
import { validate } from "../../http/validate.ts";
import { readSignedIds, signIds } from "../../identity/signed-ids.ts";
import { callerObject, loadCallerRecord, recordAhead } from "../caller.ts";
import { makeInSession, sessionsAhead } from "./object-session.ts";

/** How often a calendar program is asked to look again. */
const REFRESH_MINUTES = 30;

/** Programs ask twice an hour at best, and some each minute. */
const feedLimiter = createRateLimiter({ most: 60, windowMs: HOUR_MS });

/** The driver, by the secret name that ends the address. */
const byCalendarAddress: Opening = async (c) => {
  const address = await readCalendarFileName(c.var.deps.keys, c.req.path.split("/").at(-1) ?? "");
  if (!address) throw new ApiError("unauthenticated");
  requireUnderLimit(feedLimiter, address.feedId, c.var.deps.now());
  c.set("calendarFeedId", address.feedId);
  return { driverId: address.driverId, phoneNumber: null, sessionId: null, signedInAt: null };
};

/** The driver's blocks in a calendar of theirs: an address that they subscribe to. */
export const calendarRoutes = new Hono<AppEnv>()
  .get("/feed/:file", opens(byCalendarAddress), validate("param", calendarFileParams), async (c) => {
    const read = await callerObject(c).readCalendar(c.var.calendarFeedId);
    const { config, now } = c.var.deps;
    const context = { product: config.productName, publicUrl: config.publicUrl, now: now() };
    const file = formatCalendar(read, context);
    if (file === null) throw new ApiError("not_found");
    const etag = await etagOf(file);
    const headers = { etag, "cache-control": `private, max-age=${REFRESH_MINUTES * 60}` };
    if (c.req.header("if-none-match")?.includes(etag)) return c.body(null, 304, headers);
    return c.body(file, 200, { ...headers, "content-type": "text/calendar; charset=utf-8" });
  })
  .use(recordAhead)
  .get("/", async (c) => {
    await loadCallerRecord(c);
    return c.json(toResponse(await callerObject(c).calendar()), 200);
  })
  .post("/", sessionsAhead, freshSignIn, validate("json", calendarInput), async (c) => {
    const record = await loadCallerRecord(c);
    const { withPay } = c.req.valid("json");
    const feedId = crypto.randomUUID();
    const { made, isNewSession } = await makeInSession(c, (session) =>
      callerObject(c).changeCalendar(toDriverOwner(record), { kind: "made", feedId, withPay, session }),
    );
    await noteSecurity(c, "calendar_added");
    if (isNewSession) await outliveCaller(notifyOwner(c.var.deps, record, "text_calendar_added"));
    return c.json(await withAddress(c, made), 200);
  })
  .patch("/", validate("json", calendarInput), async (c) => {
    const owner = toDriverOwner(await loadCallerRecord(c));
    const { withPay } = c.req.valid("json");
    return c.json(toResponse(await callerObject(c).changeCalendar(owner, { kind: "pay_set", withPay })), 200);
  })
  .delete("/", async (c) => {
    const owner = toDriverOwner(await loadCallerRecord(c));
    await callerObject(c).changeCalendar(owner, { kind: "removed" });
    return c.body(null, 204);
  })
  .get("/address", freshSignIn, async (c) => {
    await loadCallerRecord(c);
    return c.json(await withAddress(c, await callerObject(c).calendar()), 200);
  })
  .put("/session", sessionsAhead, freshSignIn, validate("json", calendarSessionInput), async (c) => {
    const owner = toDriverOwner(await loadCallerRecord(c));
    const { feedId } = c.req.valid("json");
    const { made } = await makeInSession(c, (session) =>
      callerObject(c).changeCalendar(owner, { kind: "resumed", feedId, session }),
    );
    return c.json(toResponse(made), 200);
  });

function toResponse(feed: CalendarFeed | null): CalendarResponse {
  return { calendar: feed && toSummary(feed) };
}

function toSummary({ feedId, createdAt, withPay, pausedAt }: CalendarFeed): CalendarSummary {
  return { feedId, createdAt, withPay, isPaused: pausedAt !== null };
}

/** @throws {ApiError} `not_found` where there is no address */
async function withAddress(c: Context<AppEnv>, feed: CalendarFeed | null): Promise<CalendarAddressResponse> {
  const { keys, config } = c.var.deps;
  const { driverId } = c.var.caller;
  const name = feed && (await calendarFileName(keys, { driverId, feedId: feed.feedId }));
  if (!feed || !name) throw new ApiError("not_found");
  return { calendar: toSummary(feed), address: `${config.publicUrl}/flex/v1/calendar/feed/${name}` };
}

async function etagOf(file: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(file)));
  const digits = Array.from(hash.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `"${digits}"`;
}

/** How long a paused address says so. */
const PAUSE_SHOWN_MS = 30 * DAY_MS;

type FeedContext = { product: string; publicUrl: string; now: EpochMs };

/** The file for a calendar program; null for an address that was paused too long ago. */
function formatCalendar(read: CalendarRead, context: FeedContext): string | null {
  const { language = "en" } = read;
  const { product, now } = context;
  if (read.kind === "paused" && now - read.since > PAUSE_SHOWN_MS) return null;
  const name = formatMessage(language, "calendar_name", { product });
  const feed = { name, refreshMinutes: REFRESH_MINUTES };
  return toCalendarFile({ product, entries: entriesOf(read, context), feed });
}

/** A program that gets a failure goes on showing the blocks that it has, so one whose address is gone gets none. */
function entriesOf(read: CalendarRead, context: FeedContext): CalendarEntry[] {
  switch (read.kind) {
    case "on": {
      const { language, withPay, blocks } = read;
      return blocks.map((held) => toEntry(held, { language, publicUrl: context.publicUrl, withPay }));
    }
    case "paused":
      return [noticeEntry("paused", read, context)];
    case "gone": {
      const { language, timeZone } = read;
      return language === undefined ? [] : [noticeEntry("gone", { language, timeZone }, context)];
    }
  }
}

/** One line on the driver's today: a calendar that only became empty would look like a week without blocks. */
function noticeEntry(
  kind: "paused" | "gone",
  { language, timeZone = "UTC" }: { language: Language; timeZone?: string | undefined },
  { product, publicUrl, now }: FeedContext,
): CalendarEntry {
  const url = `${publicUrl}/flex/profile`;
  const day = dayOf(tryZone(timeZone)?.wallAt(now) ?? now);
  return {
    uid: `${kind}@${new URL(publicUrl).hostname}`,
    stampedAt: day * DAY_MS,
    sequence: day,
    when: { day: dateOfDay(day) },
    title: formatMessage(language, `calendar_${kind}_title`, { product }),
    text: formatMessage(language, `calendar_${kind}_text`, { url }),
    place: null,
    position: null,
  };
}

function toEntry(
  { block, warehouse, sequence, changedAt }: CalendarBlock,
  { language, publicUrl, withPay }: { language: Language; publicUrl: string; withPay: boolean },
): CalendarEntry {
  const { blockId, startsAt, endsAt, payCents, currency } = block;
  const values = {
    hours: formatHours(language, Math.round((endsAt - startsAt) / MINUTE_MS)),
    pay: formatMoney(language, payCents, currency),
    rate: formatMoney(language, hourlyPay(block), currency),
    url: `${publicUrl}/flex/dashboard`,
  };
  return {
    uid: `${blockId}@${new URL(publicUrl).hostname}`,
    stampedAt: changedAt,
    sequence,
    when: { startsAt, endsAt },
    title: formatMessage(language, "calendar_block_title", {
      where: warehouse?.name ?? formatMessage(language, "warehouse_unnamed"),
    }),
    text: formatMessage(language, withPay ? "calendar_block_text_pay" : "calendar_block_text", values),
    place: warehouse?.address ?? null,
    position: warehouse,
  };
}

/** A calendar address is the driver's and of one making: whoever has it reads their blocks, until it is renewed. */
type CalendarAddress = { driverId: DriverId; feedId: string };

const USE = "calendar";
const ids = z.tuple([driverId, z.uuid()]);

/** The name of the file at the address. @returns null for ids of another form, as of another user pool */
async function calendarFileName(keys: Keys, address: CalendarAddress): Promise<string | null> {
  const token = await signIds(keys, USE, [address.driverId, address.feedId]);
  return token === null ? null : `${token}.ics`;
}

/** Null if it is none of ours. */
async function readCalendarFileName(keys: Keys, name: string): Promise<CalendarAddress | null> {
  const token = name.replace(/\.ics$/, "");
  const read = ids.safeParse(await readSignedIds(keys, USE, { token, count: 2 }));
  return read.success ? { driverId: read.data[0], feedId: read.data[1] } : null;
}
