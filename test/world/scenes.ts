import type { Chance } from "./chance.ts";
import { CRASH_MOMENTS } from "./life/object-life.ts";
import { FAULTS, type Item, type OfferSpec } from "./script.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Situations that chance alone would seldom put together. */
export const SCENES = [
  "slow accept",
  "slow accept, then unlinked",
  "farewell unanswered",
  "unlinked while D1 is slow",
  "another account",
  "given back",
  "gateway refuses twice",
  "refused again and again",
  "asked to wait ten years",
  "new warehouse",
  "very long list",
  "too long for one answer",
  "changed while the token is refreshed",
  "turbo alone",
  "token dies at the accept",
  "quota used up",
  "own app uses half",
  "platform away for hours",
  "quota used up for hours",
  "taken by hand",
  "strange block",
  "weekly limit",
  "blocks can't be read",
  "selfie",
  "cut accept",
  "three at once",
  "eight at once",
  "in doubt, then off",
  "refused after the effect",
  "half known at the accept",
  "half known at the blocks",
  "older profile comes late",
  "busy service",
  "refused until the reset",
  "taken by hand just now",
  "crash at the accept",
  "crash at the accept",
  "crash at the accept",
  "fault at the accept",
  "fault at the accept",
  "fault at the accept",
] as const;
const EMAILS = ["ana@example.com", "bea@example.com"];
export type Scene = (typeof SCENES)[number];

type SceneTools = {
  add: (item: Item) => void;
  /** An offer that the driver wants, listed for a minute from `at`. */
  offer: (at: number, change?: Partial<OfferSpec>) => OfferSpec;
  chance: Chance;
};

/** Adds a scene to the script. @returns when it is over */
export function addScene(scene: Scene, at: number, { add, offer, chance }: SceneTools): number {
  const list = (from: number, change?: Partial<OfferSpec>): OfferSpec => {
    const spec = offer(from, change);
    add({ at: from, kind: "offer", offer: spec });
    return spec;
  };
  const fault = (from: number, given: Omit<Extract<Item, { kind: "fault" }>, "at" | "kind">) =>
    add({ at: from, kind: "fault", ...given });
  const after = (seconds: number) => at + seconds * SECOND;

  switch (scene) {
    case "slow accept":
      add({ at, kind: "slow", step: "accept", ms: 7_000, forMs: 60 * SECOND });
      list(after(2));
      return after(40);
    case "slow accept, then unlinked":
      add({ at, kind: "slow", step: "accept", ms: 6_000, forMs: 60 * SECOND });
      list(after(2), { until: after(20) });
      add({ at: after(chance.between(6, 9)), kind: "unlink" });
      // Only its response then tells the outcome.
      if (chance.is(0.7))
        add({ at: after(chance.between(12, 40)), kind: "link", email: chance.pick(EMAILS) });
      return after(80);
    case "farewell unanswered":
      fault(after(1), { fault: "connection hangs", step: "link", forMs: 8 * SECOND, share: 1 });
      if (chance.is(0.8)) {
        add({ at: after(2), kind: "unlink" });
        add({ at: after(60), kind: "link", email: "ana@example.com" });
      } else add({ at: after(2), kind: "delete account" });
      list(after(3), { until: after(30) });
      return after(90);
    case "unlinked while D1 is slow":
      // The text waits behind the copy to D1 that unlinking writes too.
      add({ at, kind: "slow", step: "d1", ms: 3_000, forMs: 30 * SECOND });
      list(after(2), { until: after(20) });
      add({ at: after(chance.between(4, 8)), kind: "unlink" });
      add({ at: after(40), kind: "link", email: "ana@example.com" });
      return after(60);
    case "another account":
      fault(after(1), { fault: "answer lost", step: "accept", forMs: 30 * SECOND, share: 0.7 });
      list(after(2));
      list(after(3));
      add({ at: after(chance.between(4, 12)), kind: "unlink" });
      add({ at: after(chance.between(13, 20)), kind: "link", email: "bea@example.com" });
      return after(100);
    case "given back": {
      list(after(1), { until: after(30) });
      const vanishes = chance.is(0.5);
      const givenBackAt = after(chance.between(20, 40));
      add({ at: givenBackAt, kind: "give back", relistAfterMs: 10 * SECOND, vanishes });
      // Before anybody has looked.
      if (chance.is(0.3)) add({ at: givenBackAt + 3 * SECOND, kind: "link", email: chance.pick(EMAILS) });
      return after(150);
    }
    case "gateway refuses twice":
      fault(after(2), { fault: "401 from a gateway", step: "poll", forMs: 15 * SECOND, share: 1 });
      return after(130);
    case "refused again and again":
      add({ at, kind: "mode", mode: "lucrative", wholeFoods: false });
      // Each time right after the wait that a ladder would make of the refusal before.
      for (const seconds of [5, 35, 95, 215]) {
        const once = { step: "poll", forMs: 10 * SECOND, share: 1, times: 1 } as const;
        fault(after(seconds), { fault: "429 asks a second", ...once });
      }
      return after(340);
    case "asked to wait ten years":
      if (chance.is(0.96)) return addScene("slow accept", at, { add, offer, chance });
      fault(after(5), { fault: "429 asks ten years", step: "poll", forMs: 4 * SECOND, share: 1 });
      return after(4 * 3_600 + 240);
    case "new warehouse":
      if (chance.is(0.4)) {
        // Nobody looks: it is seen within a day.
        add({ at: at - 25 * 60 * MINUTE, kind: "open warehouse" });
        list(after(5), { warehouse: 3 });
        return after(75);
      }
      add({ at, kind: "open warehouse" });
      add({ at: after(10), kind: "look at filters" });
      list(after(30), { warehouse: 3 });
      return after(95);
    case "very long list":
      if (chance.is(0.9)) return addScene("three at once", at, { add, offer, chance });
      add({ at, kind: "long list", count: 10_500, forMs: 70 * SECOND, warehouses: [0], padding: 0 });
      list(after(5), { until: after(65) });
      return after(75);
    case "too long for one answer":
      if (chance.is(0.8)) return addScene("three at once", at, { add, offer, chance });
      add({ at, kind: "long list", count: 2_000, forMs: 70 * SECOND, warehouses: [0, 1], padding: 4_000 });
      list(after(5), { until: after(65) });
      return after(75);
    case "changed while the token is refreshed":
      add({ at, kind: "slow", step: "token", ms: 4_000, forMs: 30 * SECOND });
      fault(after(1), {
        fault: "401 from a gateway",
        step: "accept",
        forMs: 30 * SECOND,
        share: 1,
        times: 1,
      });
      list(after(2));
      if (chance.is(0.5)) add({ at: after(chance.between(3, 9)), kind: "switch", on: false });
      else {
        const refusing = { minPriceCents: 600_000, bufferMinutes: 5, minHourlyCents: 1_500 };
        const usual = { ...refusing, minPriceCents: 5_000 };
        add({ at: after(chance.between(3, 9)), kind: "filters", ...refusing });
        add({ at: after(40), kind: "filters", ...usual });
      }
      return after(60);
    case "turbo alone":
      add({ at, kind: "mode", mode: "masacre", wholeFoods: false });
      return after(chance.is(0.3) ? 520 : 60);
    case "token dies at the accept":
      add({ at: after(1), kind: "token dies" });
      list(after(2));
      return after(70);
    case "quota used up":
      if (chance.is(0.3)) {
        const filters = { minPriceCents: 5_000, bufferMinutes: 5, minHourlyCents: 1_500 };
        add({ at: after(100), kind: "filters", ...filters });
      }
      return after(420);
    case "own app uses half":
      add({ at: after(5), kind: "own app", forMs: 4 * MINUTE, everyMs: 8_000 });
      return after(240);
    case "platform away for hours": {
      const forMs = chance.between(40, 150) * MINUTE;
      const faults = [
        "503 without effect",
        "connection hangs",
        "answer garbled",
        "429 with Retry-After",
      ] as const;
      fault(after(5), { fault: chance.pick(faults), step: "poll", forMs, share: 1 });
      if (chance.is(0.5)) add({ at: after(600), kind: "crash", moment: "now", step: "any" });
      if (chance.is(0.3)) add({ at: after(1_200), kind: "token dies" });
      return after(forMs / SECOND + chance.between(60, 900));
    }
    case "quota used up for hours": {
      const forMs = chance.between(40, 150) * MINUTE;
      add({ at: after(5), kind: "own app", forMs, everyMs: 900 });
      if (chance.is(0.3)) add({ at: after(1_200), kind: "unlink" });
      return after(forMs / SECOND + 60);
    }
    case "taken by hand": {
      const byHand = offer(after(1));
      add({ at: after(1), kind: "take by hand", offer: byHand, status: "scheduled", serviceType: "parcel" });
      list(after(chance.between(47, 70)), { startsAt: byHand.startsAt + 10 * MINUTE });
      return after(140);
    }
    case "strange block": {
      const strange = offer(after(1));
      add({
        at: after(1),
        kind: "take by hand",
        offer: strange,
        status: "on_break",
        serviceType: "pharmacy",
      });
      return after(400);
    }
    case "weekly limit":
      for (let index = 0; index < 8; index += 1) list(after(2 + index * 9), { until: after(20 + index * 9) });
      return after(90);
    case "blocks can't be read":
      fault(after(1), { fault: "500 without effect", step: "blocks", forMs: 100 * SECOND, share: 1 });
      return after(110);
    case "selfie": {
      const forMs = chance.between(4, 40) * SECOND;
      add({ at: after(5), kind: "selfie", forMs });
      if (chance.is(0.5)) {
        add({ at, kind: "dashboard" });
        add({ at: after(5) + forMs + chance.between(200, 2_500), kind: "come back" });
      }
      return after(110);
    }
    case "cut accept":
      fault(after(1), {
        fault: chance.pick(["request lost", "answer lost"] as const),
        step: "accept",
        forMs: 5 * SECOND,
        share: 0.8,
      });
      list(after(2));
      return after(70);
    case "three at once": {
      add({ at, kind: "slow", step: "accept", ms: 1_000, forMs: 30 * SECOND });
      add({ at, kind: "mode", mode: "lucrative", wholeFoods: false });
      const first = list(after(2));
      list(after(2), { startsAt: first.startsAt + 60 * MINUTE });
      list(after(2), { startsAt: first.startsAt + 120 * MINUTE });
      return after(70);
    }
    case "eight at once": {
      add({ at, kind: "slow", step: "accept", ms: 3_000, forMs: 40 * SECOND });
      add({ at, kind: "mode", mode: "lucrative", wholeFoods: false });
      const first = list(after(2), { minutes: 15 });
      for (let index = 1; index < 8; index += 1)
        list(after(2), { minutes: 15, startsAt: first.startsAt + index * 15 * MINUTE });
      return after(70);
    }
    case "in doubt, then off":
      fault(after(1), {
        fault: chance.pick(["request late", "answer lost", "connection hangs"] as const),
        step: "accept",
        forMs: 60 * SECOND,
        share: 1,
      });
      if (chance.is(0.5))
        fault(after(1), { fault: "500 without effect", step: "blocks", forMs: 90 * SECOND, share: 1 });
      list(after(2));
      return after(chance.between(5, 25));
    case "refused after the effect": {
      const lie = chance.pick(["404 after effect", "429 after effect", "500 after effect"] as const);
      fault(after(1), { fault: lie, step: "accept", forMs: 6 * SECOND, share: 1 });
      list(after(2));
      return after(110);
    }
    case "older profile comes late": {
      // While D1 is down the object can't look for itself which is the newer.
      const isNewerOn = chance.is(0.5);
      add({ at: after(1), kind: "d1 down", forMs: 110 * SECOND });
      add({ at: after(3), kind: "late switch", on: !isNewerOn, afterMs: 5 * SECOND });
      add({ at: after(5), kind: "switch", on: isNewerOn });
      list(after(12), { until: after(75) });
      return after(100);
    }
    case "half known at the accept":
      fault(after(1), { fault: "answer half known", step: "accept", forMs: 12 * SECOND, share: 1 });
      list(after(2));
      return after(90);
    case "half known at the blocks":
      // Only the list of blocks then tells.
      if (chance.is(0.5))
        fault(after(1), {
          fault: chance.pick(["answer lost", "500 after effect"] as const),
          step: "accept",
          forMs: 20 * SECOND,
          share: 1,
        });
      fault(after(1), { fault: "answer half known", step: "blocks", forMs: 60 * SECOND, share: 1 });
      list(after(2));
      return after(130);
    case "crash at the accept":
      add({
        at,
        kind: "crash",
        moment: chance.pick(CRASH_MOMENTS),
        step: chance.pick(["accept", "accept", "sms", "d1"] as const),
      });
      list(after(2));
      return after(chance.pick([20, 75]));
    case "fault at the accept":
      fault(after(1), {
        fault: chance.pick(FAULTS.filter((kind) => kind !== "429 asks ten years")),
        step: "accept",
        forMs: 12 * SECOND,
        share: chance.pick([0.5, 1]),
      });
      list(after(2));
      return after(chance.pick([10, 75]));
    case "busy service":
      fault(after(2), {
        fault: chance.pick(["503 with Retry-After", "503 until a date"] as const),
        step: "poll",
        forMs: 4 * SECOND,
        share: 1,
      });
      return after(60);
    case "refused until the reset":
      // Nothing else for a minute, so that the wait alone decides.
      fault(after(62), {
        fault: "429 until the reset",
        step: "poll",
        forMs: 20 * SECOND,
        share: 1,
        times: 1,
      });
      return after(110);
    case "taken by hand just now": {
      // Nothing else for a minute before and after.
      const byHand = offer(after(65));
      add({ at: after(65), kind: "take by hand", offer: byHand, status: "scheduled", serviceType: "parcel" });
      for (const [seconds, minutes] of [
        [66, 1],
        [66, 4],
        [70, 7],
      ] as const)
        list(after(seconds), { startsAt: byHand.startsAt + minutes * MINUTE });
      return after(140);
    }
  }
}
