import { Temporal } from "temporal-polyfill";
import type { Chance } from "./chance.ts";
import { CRASH_MOMENTS, type Step } from "./life/object-life.ts";
import { addScene, SCENES, type Scene } from "./scenes.ts";
import { FAULTS, type Fault, type Item, type OfferSpec } from "./script.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LONG_STRETCH_MS = 85 * MINUTE;
/** A refresh of which two answers are lost ends the link: so soon a driver who works links again. */
const LINK_LOOKS_MS = 5 * MINUTE;
/** The faults after which nothing waits for hours. */
const SHORT_FAULTS = FAULTS.filter((fault) => fault !== "429 asks ten years");
const STEPS: readonly (Step | "any")[] = [
  "accept",
  "accept",
  "accept",
  "accept",
  "poll",
  "blocks",
  "token",
  "sms",
  "any",
  "any",
  "other",
];

/** `scene`: the only one to play; null for all. */
type WeekFrame = { startsAt: number; zone: string; start: number; length: number; scene: Scene | null };

/** Writes the script of a week, stretch by stretch. */
export class ScriptWriter {
  readonly items: Item[] = [];
  busyUntil = 0;
  #offers = 0;
  readonly #chance: Chance;
  readonly #week: WeekFrame;

  constructor(chance: Chance, week: WeekFrame) {
    this.#chance = chance;
    this.#week = week;
  }

  /** Some minutes with the switch on, offers, and whatever can go wrong. */
  addStretch(day: number): void {
    const chance = this.#chance;
    const { startsAt, zone, start, length, scene } = this.#week;
    const date = Temporal.Instant.fromEpochMilliseconds(startsAt + DAY / 2)
      .toZonedDateTimeISO(zone)
      .toPlainDate()
      .add({ days: day });
    const opens = date.toZonedDateTime({
      timeZone: zone,
      plainTime: { hour: Math.floor(start / 60), minute: start % 60 },
    });
    const from = opens.epochMilliseconds + chance.between(-12, Math.max(-11, length - 70)) * MINUTE;
    if (from < startsAt + 10 * MINUTE) return;
    const hasScene = chance.is(0.6) || scene !== null;
    const until = from + (hasScene ? 15 : chance.between(60, 150)) * SECOND;
    const within = () => chance.between(from + SECOND, until);
    this.busyUntil = Math.max(this.busyUntil, until);
    this.items.push({ at: from, kind: "switch", on: true });
    if (chance.is(0.5)) this.items.push({ at: from + 2_000, kind: "dashboard" });
    if (chance.is(0.4))
      this.items.push({
        at: within(),
        kind: "mode",
        mode: chance.pick(["lucrative", "lucrative", "secure", "masacre"]),
        wholeFoods: chance.is(0.1),
      });
    // Held blocks would leave a scene no room.
    const offers = hasScene ? 0 : chance.between(3, 8);
    for (let index = 0; index < offers; index += 1) this.#addOffer(within(), from);
    if (hasScene) {
      const end = addScene(scene ?? chance.pick(SCENES), until, {
        add: (item) => this.items.push(item),
        offer: (at, change) => ({
          ...this.#createOffer(at, from),
          ...wanted(at, opens.epochMilliseconds, length),
          ...change,
        }),
        chance,
      });
      this.#close(end);
      return;
    }
    const troubles = chance.pick([0, 1, 1, 2, 3]);
    for (let index = 0; index < troubles; index += 1) this.#addTrouble(within());
    const changes = chance.pick([0, 0, 1, 1, 2]);
    for (let index = 0; index < changes; index += 1) this.#addChange(within());
    this.#close(chance.is(0.97) ? until : until + HOUR);
  }

  /**
   * More than an hour of turbo mode, with offers and troubles all along: thousands of polls, so that what piles up, drifts or
   * runs out shows.
   */
  addLongStretch(day: number): void {
    const chance = this.#chance;
    const { startsAt } = this.#week;
    const from = startsAt + day * DAY + chance.between(10, 12 * 60) * MINUTE;
    const until = from + LONG_STRETCH_MS;
    this.items.push({ at: from, kind: "switch", on: true });
    this.items.push({ at: from + SECOND, kind: "mode", mode: "masacre", wholeFoods: false });
    this.items.push({ at: from + 2 * SECOND, kind: "dashboard" });
    for (let at = from + LINK_LOOKS_MS; at < until; at += LINK_LOOKS_MS)
      this.items.push({ at, kind: "look at link" });
    for (let at = from + 10 * SECOND; at < until; at += chance.between(60, 240) * SECOND)
      this.#addOffer(at, at, {
        startsAt: at + chance.between(14, 200) * MINUTE,
        minutes: chance.pick([15, 30, 45]),
      });
    for (let at = from + MINUTE; at < until; at += chance.between(2, 9) * MINUTE)
      this.#addTrouble(at, { goesOn: true });
    for (let at = from + 5 * MINUTE; at < until - 10 * MINUTE; at += chance.between(8, 20) * MINUTE)
      this.#addChange(at, { goesOn: true });
    this.#close(until);
  }

  #close(until: number): void {
    // A driver who switched off and on again goes on a little longer, not for days.
    const lastOn = this.items.findLast((item) => item.kind === "switch" && item.on);
    const at = Math.max(until, (lastOn?.at ?? 0) + SECOND);
    this.items.push({ at, kind: "switch", on: false });
    this.busyUntil = Math.max(this.busyUntil, at);
  }

  #createOffer(at: number, from: number): OfferSpec {
    const chance = this.#chance;
    this.#offers += 1;
    const until = at + chance.pick([4, 10, 30, 90, 180]) * SECOND;
    return {
      offerId: `off_${this.#offers}`,
      warehouse: chance.pick([0, 0, 0, 1, 2]),
      startsAt: from + chance.between(14, 58) * MINUTE,
      minutes: chance.pick([60, 90, 120, 180, 240]),
      payCents: (chance.is(0.8) ? 9_500 : 3_500) + this.#offers * 13,
      currency: chance.is(0.05) ? "EUR" : "USD",
      serviceType: chance.is(0.15) ? "whole_foods" : "parcel",
      until,
      rivalAt: chance.is(0.25) ? at + chance.between(500, 6_000) : null,
    };
  }

  #addOffer(at: number, from: number, change: Partial<OfferSpec> = {}): void {
    const chance = this.#chance;
    const offer = { ...this.#createOffer(at, from), ...change };
    this.items.push({ at, kind: "offer", offer });
    const { offerId, until } = offer;
    if (chance.is(0.15))
      this.items.push({
        at: chance.between(at, until),
        kind: "reprice",
        offerId,
        payCents: chance.pick([3_000, 8_000, 22_000]) + this.#offers,
      });
    if (chance.is(0.1)) this.items.push({ at: chance.between(at, until), kind: "withdraw", offerId });
    if (chance.is(0.2))
      this.items.push({
        at: until + chance.between(1, 120) * SECOND,
        kind: "relist",
        offerId,
        forMs: chance.between(5, 90) * SECOND,
      });
  }

  /** `goesOn`: captures go on after it, in some minutes at most. */
  #addTrouble(at: number, { goesOn = false } = {}): void {
    const chance = this.#chance;
    const kind = chance.pick([
      "fault",
      "fault",
      "fault",
      "crash",
      "crash",
      "slow",
      "zombie",
      "jump",
      "alarm",
      "d1",
    ] as const);
    switch (kind) {
      case "fault": {
        const fault: Fault = chance.pick(goesOn ? SHORT_FAULTS : FAULTS);
        const step = chance.pick(STEPS);
        const forMs = chance.pick([2, 10, 30, 60]) * SECOND;
        this.items.push({ at, kind: "fault", fault, step, forMs, share: chance.pick([0.3, 0.7, 1]) });
        return;
      }
      case "crash":
        this.items.push({
          at,
          kind: "crash",
          moment: chance.pick(["now", ...CRASH_MOMENTS]),
          step: chance.pick([
            "accept",
            "accept",
            "accept",
            "poll",
            "blocks",
            "sms",
            "d1",
            "token",
            "any",
          ] as const),
        });
        return;
      case "slow":
        this.items.push({
          at,
          kind: "slow",
          step: chance.pick(["accept", "poll", "blocks", "token"] as const),
          ms: chance.pick([1_000, 3_000, 7_000]),
          forMs: chance.between(5, 60) * SECOND,
        });
        return;
      case "zombie":
        this.items.push({ at, kind: "zombie", forMs: chance.between(1, 30) * SECOND });
        return;
      case "jump":
        this.items.push({ at, kind: "clock jump", ms: chance.pick([-2_000, -300, 300, 2_000]) });
        return;
      case "alarm":
        this.items.push({ at, kind: "duplicate alarm" });
        return;
      case "d1":
        this.items.push({ at, kind: "d1 down", forMs: chance.between(1, 90) * SECOND });
    }
  }

  /** `goesOn`: captures go on after it, in a minute or two at most. */
  #addChange(at: number, { goesOn = false } = {}): void {
    const chance = this.#chance;
    const kind = chance.pick([
      "switch",
      "filters",
      "service",
      "unlink",
      "hand",
      "hand",
      "give back",
      "give back",
      "selfie",
      "warehouse",
      "shrink",
      "own app",
      "delete",
      "arrive",
    ] as const);
    switch (kind) {
      case "switch":
        this.items.push({ at, kind: "switch", on: false });
        if (goesOn || chance.is(0.7))
          this.items.push({ at: at + chance.between(0, 40) * SECOND, kind: "switch", on: true });
        return;
      case "filters":
        this.items.push({
          at,
          kind: "filters",
          minPriceCents: chance.pick([1_000, 5_000, 9_030, 9_700]),
          bufferMinutes: chance.pick([0, 5, 20, 40]),
          minHourlyCents: chance.pick([0, 1_500, 3_500]),
        });
        return;
      case "service":
        this.items.push({ at, kind: "service", days: -60 });
        if (goesOn || chance.is(0.7))
          this.items.push({ at: at + chance.between(5, 90) * SECOND, kind: "service", days: 90 });
        return;
      case "unlink": {
        this.items.push({ at, kind: "unlink" });
        const email = chance.is(0.6) ? "ana@example.com" : "bea@example.com";
        this.items.push({ at: at + chance.between(15, 60) * SECOND, kind: "link", email });
        return;
      }
      case "hand": {
        const offer = this.#createOffer(at, at - 10 * MINUTE);
        const isStrange = chance.is(0.3);
        this.items.push({
          at,
          kind: "take by hand",
          offer,
          status: isStrange ? "on_break" : "scheduled",
          serviceType: isStrange ? "pharmacy" : "parcel",
        });
        return;
      }
      case "give back":
        this.items.push({
          at,
          kind: "give back",
          relistAfterMs: chance.is(0.8) ? chance.between(1, 60) * SECOND : null,
          vanishes: chance.is(0.4),
        });
        return;
      case "selfie":
        this.items.push({ at, kind: "selfie", forMs: chance.between(5, 120) * SECOND });
        return;
      case "warehouse":
        this.items.push({ at, kind: "open warehouse" });
        this.items.push({ at: at + 90 * MINUTE, kind: "look at filters" });
        return;
      case "shrink":
        this.items.push({
          at,
          kind: "shrink quota",
          limit: chance.between(3, 10),
          forMs: chance.between(1, goesOn ? 3 : 20) * MINUTE,
        });
        return;
      case "own app":
        this.items.push({
          at,
          kind: "own app",
          forMs: chance.between(1, 5) * MINUTE,
          everyMs: chance.between(4, 20) * SECOND,
        });
        return;
      case "delete":
        if (!goesOn && chance.is(0.3)) this.items.push({ at, kind: "delete account" });
        return;
      case "arrive":
        this.items.push({ at, kind: "arrive" });
    }
  }
}

/** The properties of an offer that every driver of this world wants: inside the schedule, well paid, listed for long. */
function wanted(at: number, opensAt: number, lengthMinutes: number): Partial<OfferSpec> {
  const earliest = Math.max(at + 50 * MINUTE, opensAt + MINUTE);
  return {
    warehouse: 0,
    startsAt:
      Math.ceil(earliest / MINUTE) * MINUTE < opensAt + lengthMinutes * MINUTE
        ? Math.ceil(earliest / MINUTE) * MINUTE
        : opensAt + MINUTE,
    minutes: 60,
    currency: "USD",
    serviceType: "whole_foods",
    until: at + 60 * SECOND,
    rivalAt: null,
  };
}
