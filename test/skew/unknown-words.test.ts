import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { LANGUAGES } from "../../db/shapes/language.ts";
import { mode } from "../../db/shapes/work/filters.ts";
import { snapshot, type ServerMessage } from "../../db/shapes/work/live.ts";
import { isUnknownCase, parseTolerantly, readShape, readsAs } from "../../db/shapes/tolerant.ts";
import { profile, serviceChange } from "../../db/shapes/profile.ts";
import { DEFAULT_FILTERS } from "../../db/queries/work/filters.ts";
import { readProfile, readServiceChanges } from "../../durable/driver/read-call.ts";
import { verdict } from "../../db/shapes/work/verdict.ts";
import { initialLiveState, isCurrent, liveReducer, type LiveState } from "../../web/api/live/live-state.ts";
import { readMessage } from "../../web/api/live/live.ts";
import { parseRequestError, UnrecognizedError } from "../../web/api/client/request-error.ts";
import { errorText } from "../../web/features/language/error-messages.ts";
import { parsePageMessage, parseWorkerMessage } from "../../web/service-worker/page-messages.ts";
import { parsePushMessage } from "../../web/service-worker/strategy.ts";
import { userPatch } from "../../worker/contract/account/user.ts";
import { blocksResponse } from "../../worker/contract/work/blocks.ts";
import { quietSnapshot } from "../support/quiet-snapshot.ts";

const AT = Date.UTC(2026, 10, 23, 15);
const NEW = { code: "moon_phase", rule: 1, offer: 2 };
const KNOWN = { code: "price_below_minimum", rule: 9500, offer: 9000 };

const offer = (index: number) => ({
  offerId: `o${index}`,
  warehouseId: "w1",
  serviceType: "parcel",
  startsAt: AT,
  endsAt: AT + 3_600_000,
  payCents: 9000,
  currency: "USD",
  surge: false,
  expiresAt: AT,
});

const judged = (index: number, ...reasons: unknown[]) => ({
  seq: index,
  event: { kind: "offer_judged", at: AT, offer: offer(index), reasons, filtersVersion: 1 },
});

const shown = (over: object = {}) => ({
  ...quietSnapshot(AT),
  seq: 50,
  today: { captured: 0, passedOver: 50, gone: 0, capturedCents: 0 },
  feed: Array.from({ length: 50 }, (_, index) => judged(index + 1, KNOWN)),
  ...over,
});

function receive(state: LiveState, message: unknown): LiveState {
  const read = readMessage(JSON.stringify(message));
  if (read === "unknown") return state;
  return liveReducer(
    state,
    read === "unreadable" ? { kind: "unreadable" } : { kind: "message", message: read, at: AT },
  );
}

const open = (): LiveState => ({ ...initialLiveState, connection: "open" });

it("leaves null what may be null, also where an unknown case would be read as other", () => {
  const cases = z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("known") }),
    z.object({ kind: z.literal("other") }),
  ]);
  const shape = z.object({ last: z.nullable(cases), next: z.nullable(cases), count: z.number() });
  const later = { last: null, next: { kind: "later" }, count: 1 };
  expect(parseTolerantly(shape, later)).toEqual({
    value: { last: null, next: { kind: "other" }, count: 1 },
    unread: ["next"],
  });
});

describe("an open dashboard", () => {
  it("shows fifty entries of which one has a reason that it doesn't know, and what comes after", () => {
    const feed = shown().feed.with(7, judged(8, KNOWN, NEW));
    const state = receive(receive(open(), { kind: "snapshot", snapshot: shown({ feed }) }), {
      kind: "event",
      ...judged(51, NEW),
    });
    const reasons = state.snapshot?.feed.map(({ event }) =>
      event.kind === "offer_judged" ? event.reasons.map(({ code }) => code) : [],
    );
    expect(reasons).toHaveLength(50);
    expect(reasons?.filter((codes) => codes.includes("other"))).toEqual([
      ["other"],
      ["price_below_minimum", "other"],
    ]);
    expect([isCurrent(state), state.snapshot?.seq]).toEqual([true, 51]);
  });

  it("says that there is something new in place of a phase and a mode that it doesn't know", () => {
    const state = receive(open(), {
      kind: "snapshot",
      snapshot: shown({ phase: { kind: "charging", until: AT }, mode: "patient", specialMode: "bulk" }),
    });
    expect(state.snapshot).toMatchObject({ phase: { kind: "other" }, mode: "other", specialMode: null });
    expect(
      receive(state, { kind: "event", seq: 51, event: { kind: "tip_arrived", at: AT } }).snapshot,
    ).toMatchObject({
      seq: 51,
      feed: state.snapshot?.feed,
    });
  });

  it("goes on where a message is of a kind that it doesn't know", () => {
    const state = receive(open(), { kind: "snapshot", snapshot: shown() });
    expect(receive(state, { kind: "weather", at: AT })).toBe(state);
  });

  it("is not current after a message that it can't read, until the next snapshot", () => {
    const before = receive(open(), { kind: "snapshot", snapshot: shown() });
    const { timeZone: _, ...broken } = shown();
    const cut = receive(before, { kind: "changed", snapshot: broken });
    const later = liveReducer(receive(cut, { kind: "pulse", at: AT + 1, offers: 1 }), {
      kind: "pong",
      at: AT + 2,
    });
    expect([isCurrent(before), isCurrent(cut), isCurrent(later)]).toEqual([true, false, false]);
    expect(later.lastMessageAt).toBe(AT);
    expect(isCurrent(receive(later, { kind: "changed", snapshot: shown() }))).toBe(true);
  });
});

describe("a page of blocks", () => {
  it("leaves out what it can't show, and nothing else", () => {
    const lost = (seq: number, reason: string) => ({ type: "lost", seq, at: AT, offer: offer(seq), reason });
    const items = [lost(3, "strike"), { type: "shared", seq: 2, at: AT }, lost(1, "overlap")];
    expect(readShape(blocksResponse, { items, cursor: "1", weather: 3 })).toEqual({
      items: [lost(3, "other"), lost(1, "overlap")],
      cursor: "1",
      total: null,
    });
  });
});

describe("a stored verdict", () => {
  const stored = (...reasons: unknown[]) => ({
    offer: offer(1),
    reasons,
    filtersVersion: 1,
    judgedAt: AT,
    firstSeenAt: AT,
  });

  it.each([[NEW], [null], [{ code: "currency" }], ["currency"]])(
    "never becomes a match because its reason is %j",
    (reason) => {
      expect(readShape(verdict, stored(reason)).reasons).toEqual([{ code: "other" }]);
    },
  );
});

describe("an error that the page doesn't know", () => {
  it("speaks for itself, and keeps when to try again and what is wrong with a field", async () => {
    const message = { en: "The moon is full.", es: "Hay luna llena.", pt: "É lua cheia." };
    const error = await parseRequestError({
      ok: false,
      status: 409,
      headers: new Headers({ "x-request-id": "r1" }),
      json: () =>
        Promise.resolve({
          code: "moon_full",
          message,
          requestId: "r1",
          retryAfter: 7,
          fields: { name: "too_shiny" },
        }),
    });
    expect(error).toBeInstanceOf(UnrecognizedError);
    expect(error).toMatchObject({ code: "internal", retryAfter: 7, fields: { name: "invalid" } });
    expect(LANGUAGES.map((language) => message[language])).toContain(errorText(error));
  });
});

describe("messages between a page and a service worker of different builds", () => {
  it("are ignored where the other doesn't know them", () => {
    expect([parsePageMessage({ kind: "warm_up" }), parsePageMessage(null)]).toEqual([null, null]);
    expect(parsePageMessage({ kind: "loaded", urls: ["/a.js", 7], from: 1 })).toEqual({
      kind: "loaded",
      urls: ["/a.js"],
    });
    expect([parseWorkerMessage({ kind: "open", url: 7 }), parseWorkerMessage("open")]).toEqual([null, null]);
    expect(parseWorkerMessage({ kind: "resubscribed", endpoint: "x" })).toEqual({ kind: "resubscribed" });
    expect(
      parsePushMessage({ title: "t", body: "b", tag: "c", url: "/flex", event: "moon", badge: 3 }),
    ).toEqual({
      title: "t",
      body: "b",
      tag: "c",
      url: "/flex",
    });
  });
});

describe("the tolerant reader", () => {
  it("says where it left something out", () => {
    const feed = [judged(1, NEW), { seq: 2 }];
    const { unread } = parseTolerantly(snapshot, shown({ feed, mode: "patient" }));
    expect(unread).toEqual(["mode", "feed.0.event.reasons.0", "feed.1"]);
    expect(parseTolerantly(snapshot, shown()).unread).toEqual([]);
  });

  it("fails where something is missing that is needed", () => {
    const { today: _, ...rest } = shown();
    expect(() => readShape(snapshot, rest)).toThrow(z.core.$ZodError);
    expect(() => readShape(z.object({ word: z.enum(["a"]) }), { word: "b" })).toThrow(z.core.$ZodError);
  });

  it("reads a word as the one that its enum names", () => {
    const words = z.object({ word: readsAs(z.enum(["on", "off"]), "off"), maybe: z.nullable(z.enum(["x"])) });
    expect(readShape(words, { word: "dim", maybe: "y" })).toEqual({ word: "off", maybe: null });
  });

  it("knows the cases of a union", () => {
    const union = z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") })]);
    const cases = [{ kind: "b" }, { kind: "a", b: 1 }, { kind: 7 }, "b", null];
    expect(cases.map((value) => isUnknownCase(union, value))).toEqual([true, false, false, false, false]);
  });
});

describe("a call of a Worker of a later release", () => {
  const change = { source: "s", kind: "paid", money: null, changedMs: null };

  it("brings no words into the driver's object that it doesn't know", () => {
    const given = z.parse(profile, {
      revision: 1,
      switchedOn: true,
      mode: "secure",
      specialMode: "wf",
      filters: DEFAULT_FILTERS,
      filtersVersion: 0,
      serviceUntil: null,
      waitingForSpot: false,
    });
    const newer = JSON.parse(
      JSON.stringify({ ...given, mode: "patient", specialMode: "bulk", pace: "slow" }),
    );
    expect(readProfile(newer)).toEqual({ ...given, mode: "lucrative", specialMode: null });
    const changes = z.parse(z.array(serviceChange), [change, { ...change, source: "t" }]);
    expect(readServiceChanges(changes)).toEqual(changes);
    const newerChanges = JSON.parse(JSON.stringify([{ ...change, kind: "gifted" }, change]));
    expect(readServiceChanges(newerChanges)).toEqual([change]);
  });

  it("goes through where something else is wrong with it", () => {
    const broken = JSON.parse('{"revision":"first"}');
    expect(readProfile(broken)).toBe(broken);
  });
});

describe("a request", () => {
  it("is refused with a word that the server doesn't know", () => {
    const words = ["other", "patient"];
    expect(words.map((word) => z.safeParse(mode, word).success)).toEqual([false, false]);
    expect(words.map((word) => z.safeParse(userPatch, { mode: word }).success)).toEqual([false, false]);
    expect(z.safeParse(userPatch, { mode: "secure", updateLanguage: true, language: "pt" }).success).toBe(
      false,
    );
    expect(z.parse(userPatch, { mode: "secure", pace: "slow" })).toEqual({ mode: "secure" });
  });
});

const kept: ServerMessage["kind"][] = ["snapshot", "event", "pulse", "announced", "changed"];
it.each(kept)("the kind %s is one that the page knows", (kind) => {
  expect(readMessage(JSON.stringify({ kind }))).not.toBe("unknown");
});
