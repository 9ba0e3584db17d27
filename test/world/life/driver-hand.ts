import { ALL_DURATIONS } from "../../../db/shapes/work/durations.ts";
import { NO_LIMITS, weekSchedule, type Filters } from "../../../db/shapes/work/filters.ts";
import type { Answer, Question, QuestionId, QuestionStatus } from "../../../db/shapes/work/question.ts";
import { warehouseId as warehouseIdShape } from "../../../db/shapes/units.ts";
import * as z from "zod/mini";
import { createChance, type Chance } from "../chance.ts";
import type { Dashboard } from "./dashboard.ts";
import type { Faults } from "../faults.ts";
import type { ObjectHost } from "../host/host.ts";
import type { PlatformOffer } from "../platform/model.ts";
import type { SimulatedPlatform } from "../platform/platform.ts";
import type { Item, OfferSpec, WeekPlan } from "../script.ts";
import { PUSH_SUBSCRIPTION } from "../host/push-subscription.ts";
import type { Timeline } from "../timeline.ts";
import type { WorkerSide } from "../host/worker-side.ts";

/** Which account is linked from when on, as far as the driver knows. */
export type LinkSpan = { email: string; from: number; to: number | null };
/** The terms of an offer from an instant on; null once it is not listed. */
export type OfferTerms = { at: number; offer: PlatformOffer | null };

/** One answer, and the state of the question after it; null if nobody heard it. */
export type GivenAnswer = {
  questionId: QuestionId;
  answer: Answer;
  sentAt: number;
  status: QuestionStatus | null;
};

/** The driver's habits in answering: a name, and the answers, which are sent in any order. */
const HABITS: readonly (readonly [string, ...Answer[]])[] = [
  ["yes", "take"],
  ["yes", "take"],
  ["in two tabs", "take", "take"],
  ["changes their mind", "take", "pass"],
  ["no", "pass"],
  ["late", "take"],
  ["never"],
];

const SELFIE_CHECK_MS = 60_000;

type HandDeps = {
  timeline: Timeline;
  plan: WeekPlan;
  platform: SimulatedPlatform;
  host: ObjectHost;
  worker: WorkerSide;
  faults: Faults;
  dashboard: Dashboard;
  meet: (what: string) => void;
  crashes: number[];
  phoneNumber: string;
};

/** Performs the script: what the driver, their page, the platform's people and fate do. */
export class DriverHand {
  readonly links: LinkSpan[] = [];
  readonly terms = new Map<string, OfferTerms[]>();
  /** When something happened after which a while may pass before all is as usual. */
  readonly disturbances: number[] = [];
  isDeleted = false;
  /** When each warehouse opened that was not there from the beginning. */
  readonly opened = new Map<string, number>();
  /** Check-ins, and whether the driver was told that they succeeded. */
  readonly checkIns: { blockId: string; isSaid: boolean }[] = [];
  /** When the driver looked at their filters. */
  readonly looks: number[] = [];
  /** The driver's answers to questions, and whether the object answered that it heard them. */
  readonly answers: GivenAnswer[] = [];
  readonly #chance: Chance;
  #email = "ana@example.com";
  #filters: Filters;
  #sources = 0;
  readonly #deps: HandDeps;

  constructor(deps: HandDeps) {
    this.#deps = deps;
    this.#chance = createChance(deps.plan.seed, "answers");
    deps.dashboard.onQuestion = (question) => this.#answer(question);
    this.#filters = this.#createFilters({ minPriceCents: 5_000, bufferMinutes: 5, minHourlyCents: 1_500 });
  }

  /** The driver registers, pays, links and switches on. */
  async begin(): Promise<void> {
    const { worker, plan, host, meet, phoneNumber } = this.#deps;
    await worker.register(phoneNumber, "America/New_York");
    await worker.tell();
    await worker.addService(30 * 86_400_000, `first-${worker.driverId}`);
    await this.#link("ana@example.com");
    await worker.saveFilters(this.#filters);
    if (plan.hasPush) {
      const owner = await worker.owner();
      if (owner)
        await host
          .call((driver) => driver.addPushSubscription(owner, PUSH_SUBSCRIPTION, null))
          .catch(() => meet("push lost"));
    }
  }

  perform(item: Item): void {
    const { timeline, plan, platform, host, worker, faults, dashboard, meet, crashes } = this.#deps;
    const { now } = timeline;
    meet(`item: ${item.kind}`);
    switch (item.kind) {
      case "offer":
        return this.#listOffer(item.offer);
      case "reprice": {
        const offer = platform.offers.get(item.offerId);
        if (offer) this.#change(offer, { payCents: item.payCents });
        return;
      }
      case "withdraw": {
        const offer = platform.offers.get(item.offerId);
        if (offer) this.#change(offer, { isListed: false });
        return;
      }
      case "relist":
        return this.#relist(item.offerId, item.forMs);
      case "take by hand": {
        const offer = this.#toOffer({ ...item.offer, serviceType: item.serviceType });
        platform.takeByHand(this.#email, offer, item.status);
        return;
      }
      case "give back":
        return this.#giveBack(item);
      case "long list":
        return this.#listMany(item);
      case "open warehouse": {
        const index = platform.warehouses.length;
        const timeZone = plan.timeZones[0] ?? "America/New_York";
        this.opened.set(`w${index}`, now);
        platform.warehouses.push({
          warehouseId: `w${index}`,
          name: `Station ${index}`,
          timeZone,
          serviceType: "parcel",
        });
        return;
      }
      case "look at filters":
        this.looks.push(now);
        host.call((driver) => driver.warehouses()).catch(() => {});
        return;
      case "selfie": {
        const account = platform.account(this.#email);
        account.needsSelfie = true;
        // The platform is asked once a minute whether the driver has done it.
        for (let at = now; at < now + item.forMs + SELFIE_CHECK_MS; at += 15_000) this.disturbances.push(at);
        timeline.after(item.forMs, () => {
          account.needsSelfie = false;
        });
        return;
      }
      case "disputed selfie":
        platform.disputes = item.of;
        this.disturbances.push(now, now + item.forMs);
        timeline.after(item.forMs, () => {
          platform.disputes = null;
        });
        return;
      case "shrink quota": {
        const { rule } = platform.quota;
        platform.quota.rule = { ...rule, limit: item.limit };
        timeline.after(item.forMs, () => {
          platform.quota.rule = rule;
        });
        return;
      }
      case "own app":
        return this.#useOwnApp(now + item.forMs, item.everyMs);
      case "switch":
        void worker.update({ switchedOn: item.on });
        return;
      case "late switch":
        void worker.update({ switchedOn: item.on }, item.afterMs);
        return;
      case "filters":
        this.#filters = this.#createFilters(item);
        void worker.saveFilters(this.#filters);
        return;
      case "mode":
        void worker.update({ mode: item.mode, specialMode: item.wholeFoods ? "wf" : null });
        return;
      case "service":
        this.#sources += 1;
        void worker.addService(item.days * 86_400_000, `change-${this.#sources}-${worker.driverId}`);
        return;
      case "unlink":
        this.#endLink();
        void worker.unlink();
        return;
      case "link":
        this.#email = item.email;
        void this.#link(item.email);
        return;
      case "look at link":
        void this.#lookAtLink();
        return;
      case "delete account":
        this.#endLink();
        this.isDeleted = true;
        void worker.deleteAccount();
        return;
      case "dashboard":
        void dashboard.open();
        return;
      case "come back":
        return dashboard.comeBack();
      case "arrive":
        host.call((driver) => driver.nextBlock()).catch(() => {});
        return;
      case "check in":
        void this.#checkIn();
        return;
      case "look at earnings":
        host.call((driver) => driver.earnings()).catch(() => {});
        return;
      case "fault": {
        const until = now + item.forMs;
        this.disturbances.push(now, until);
        const { fault, step, share, times = Infinity } = item;
        return faults.begin({ fault, step, until, share, times });
      }
      case "slow":
        return faults.slow(item.step, item.ms, now + item.forMs);
      case "crash":
        if (item.moment !== "now") return faults.setTrap({ moment: item.moment, step: item.step });
        meet("crash: now");
        crashes.push(now);
        return host.crash();
      case "zombie":
        crashes.push(now);
        return host.crash({ leavesZombieMs: item.forMs });
      case "duplicate alarm":
        return host.fireAgain();
      case "clock jump":
        timeline.skewMs += item.ms;
        this.disturbances.push(now);
        return;
      case "token dies":
        platform.tokenDies = true;
        return;
      case "d1 down":
        return faults.breakD1(now + item.forMs);
    }
  }

  /** Once, twice, the other way round, too late, or never. */
  #answer({ questionId, askedAt, closesAt }: Question): void {
    const { timeline, meet } = this.#deps;
    const chance = this.#chance;
    const [habit, ...answers] = chance.pick(HABITS);
    meet(`question: ${habit}`);
    const from = habit === "late" ? closesAt : timeline.now;
    for (const answer of answers) {
      const afterMs =
        habit === "late" ? chance.between(1, 20_000) : chance.between(200, (closesAt - askedAt) / 2);
      timeline.at(from + afterMs, () => void this.#sendAnswer(questionId, answer));
    }
  }

  async #sendAnswer(questionId: QuestionId, answer: Answer): Promise<void> {
    const { host, timeline } = this.#deps;
    const given: GivenAnswer = { questionId, answer, sentAt: timeline.now, status: null };
    this.answers.push(given);
    const question = await host.call((driver) => driver.answerQuestion(questionId, answer)).catch(() => null);
    given.status = question?.state.status ?? null;
  }

  async #checkIn(): Promise<void> {
    const { host, timeline } = this.#deps;
    const [block] = (await host.call((driver) => driver.snapshot())).held.toSorted(
      (one, other) => one.startsAt - other.startsAt,
    );
    if (!block) return;
    const position = { latitude: 40.75, longitude: -73.49, accuracyMeters: 10, observedAt: timeline.now };
    const result = await host.call((driver) => driver.checkIn(block.blockId, position));
    this.checkIns.push({
      blockId: block.blockId,
      isSaid: result.ok && result.response.outcome === "checked_in",
    });
  }

  #listOffer(spec: OfferSpec): void {
    const { platform, timeline } = this.#deps;
    const offer = this.#toOffer(spec);
    platform.offers.set(offer.offerId, offer);
    this.#change(offer, {});
    timeline.at(spec.until, () => this.#change(offer, { isListed: false }));
    if (spec.rivalAt !== null) timeline.at(spec.rivalAt, () => this.#change(offer, { isListed: false }));
  }

  #change(offer: PlatformOffer, change: Partial<PlatformOffer>): void {
    const { platform, timeline } = this.#deps;
    Object.assign(offer, change);
    platform.touch();
    const terms = this.terms.get(offer.offerId) ?? [];
    terms.push({ at: timeline.now, offer: offer.isListed ? { ...offer } : null });
    this.terms.set(offer.offerId, terms);
  }

  #relist(offerId: string, forMs: number): void {
    const { platform, timeline } = this.#deps;
    const offer = platform.offers.get(offerId);
    const isHeld = [...platform.accounts.values()].some(({ blocks }) =>
      blocks.some((block) => block.offerId === offerId && block.givenBackAt === null),
    );
    if (!offer || offer.isListed || isHeld || offer.startsAt <= timeline.now + 60_000) return;
    this.#change(offer, { isListed: true, expiresAt: timeline.now + forMs });
    timeline.after(forMs, () => this.#change(offer, { isListed: false }));
  }

  /** The driver gives back, in the platform's own app, the block that starts next. */
  #giveBack({ relistAfterMs, vanishes }: { relistAfterMs: number | null; vanishes: boolean }): void {
    const { platform, timeline, meet } = this.#deps;
    const block = platform
      .account(this.#email)
      .blocks.find(
        ({ givenBackAt, startsAt, isByHand }) =>
          givenBackAt === null && !isByHand && startsAt > timeline.now + 45 * 60_000,
      );
    if (!block) return;
    meet("block given back by hand");
    block.givenBackAt = timeline.now;
    block.isGone = vanishes;
    platform.touch();
    if (relistAfterMs !== null) timeline.after(relistAfterMs, () => this.#relist(block.offerId, 120_000));
  }

  #listMany({ count, forMs, warehouses, padding }: Extract<Item, { kind: "long list" }>): void {
    const { platform, timeline } = this.#deps;
    const { now } = timeline;
    for (let index = 0; index < count; index += 1) {
      const offerId = `many_${now}_${index}`;
      platform.offers.set(offerId, {
        offerId,
        warehouseId: `w${warehouses[index % warehouses.length] ?? 0}`,
        serviceType: "parcel",
        startsAt: now + 20 * 60_000,
        endsAt: now + 140 * 60_000,
        payCents: 100,
        currency: "USD",
        expiresAt: now + forMs,
        isListed: true,
        ...(padding > 0 ? { note: "x".repeat(padding) } : {}),
      });
      timeline.after(forMs, () => platform.offers.delete(offerId));
    }
    platform.touch();
  }

  #useOwnApp(until: number, everyMs: number): void {
    const { platform, timeline } = this.#deps;
    if (timeline.now >= until) return;
    platform.quota.useByApp(timeline.now);
    timeline.after(everyMs, () => this.#useOwnApp(until, everyMs));
  }

  async #link(email: string): Promise<void> {
    const { host, worker, platform, timeline, meet } = this.#deps;
    const owner = await worker.owner();
    if (!owner) return;
    for (let tries = 0; tries < 8; tries += 1) {
      try {
        const started = await host.call((driver) => driver.startLink(owner, { email, password: "right" }));
        if (started.ok) {
          await host.call((driver) => driver.submitLinkCode(owner, "123456"));
          platform.approve(email);
          const { ok, linked } = await this.#awaitLink(owner);
          if (ok && linked) {
            this.#endLink();
            this.links.push({ email, from: timeline.now, to: null });
            meet("linked");
            return;
          }
        }
      } catch {
        meet("linking interrupted");
      }
      await timeline.pause(15_000);
    }
  }

  /** One that the driver has unlinked, or is linking, is left alone. */
  async #lookAtLink(): Promise<void> {
    const { host, meet } = this.#deps;
    if (this.links.at(-1)?.to !== null) return;
    const isLinked = await host
      .call((driver) => driver.snapshot())
      .then(
        (snapshot) => snapshot.isLinked,
        () => true,
      );
    if (isLinked || this.links.at(-1)?.to !== null) return;
    meet("linked again");
    await this.#link(this.#email);
  }

  async #awaitLink(owner: NonNullable<Awaited<ReturnType<WorkerSide["owner"]>>>) {
    const { host, timeline } = this.#deps;
    for (let tries = 0; tries < 4; tries += 1) {
      const status = await host.call((driver) => driver.linkStatus(owner));
      if (status.ok && status.response.step === "linked") return { ok: true, linked: true };
      await timeline.pause(3_000);
    }
    return { ok: true, linked: false };
  }

  #endLink(): void {
    const last = this.links.at(-1);
    if (last) last.to ??= this.#deps.timeline.now;
  }

  #toOffer(spec: OfferSpec): PlatformOffer {
    return {
      offerId: spec.offerId,
      warehouseId: `w${spec.warehouse}`,
      serviceType: spec.serviceType,
      startsAt: spec.startsAt,
      endsAt: spec.startsAt + spec.minutes * 60_000,
      payCents: spec.payCents,
      currency: spec.currency,
      expiresAt: spec.until,
      isListed: true,
    };
  }

  #createFilters(given: { minPriceCents: number; bufferMinutes: number; minHourlyCents: number }): Filters {
    const { plan } = this.#deps;
    return {
      minHourlyCents: null,
      schedule: z.parse(weekSchedule, plan.schedule),
      // The last warehouse is not selected; one that opens later is.
      warehouses: [...plan.timeZones.keys(), plan.timeZones.length].map((index) => ({
        warehouseId: z.parse(warehouseIdShape, `w${index}`),
        selected: index !== plan.timeZones.length - 1,
        minPriceCents: given.minPriceCents,
        bufferMinutes: given.bufferMinutes,
        minHourlyCents: given.minHourlyCents,
        durations: ALL_DURATIONS,
        onlyHourly: false,
        action: plan.asks && index !== 1 ? "ask" : "take",
        askSeconds: 60,
        extraRules: [],
      })),
      limits: plan.limits ?? NO_LIMITS,
      dates: [],
    };
  }
}
