import { loadTextDelivery } from "../../../db/queries/texts/delivery.ts";
import { NOTIFICATION_EVENTS, REMINDERS } from "../../../db/shapes/notifications.ts";
import type { DriverOwner } from "../../../db/shapes/profile.ts";
import type { TextDelivery } from "../../../db/shapes/text-delivery.ts";
import { HOUR_MS, type EpochMs } from "../../../db/shapes/units.ts";
import type { Check, KeptChecks } from "../../../db/shapes/work/checks.ts";
import type { Deps } from "../../deps.ts";
import { needsBefore, nextShift, shiftCheckAt, untold } from "../../engine/checks/before-shift.ts";
import { checkList } from "../../engine/checks/check-list.ts";
import type { Hours } from "../../engine/checks/hours.ts";
import type { DriverState } from "../../engine/state/types.ts";
import type { KnownDriver } from "../../runtime/driver-rpc.ts";
import { describeError } from "../../runtime/describe-error.ts";
import type { MachineStep, StepListener } from "../machine-step.ts";
import { notifyDriver } from "../notify/notify.ts";
import type { Store } from "../storage/store.ts";

type ShiftChecksDeps = {
  deps: Pick<Deps, "db" | "now" | "log" | "config">;
  store: Store;
  /** The machine, which is made later. */
  machine: () => { state: DriverState; owner: DriverOwner | null };
};

/** The next start of hours, as long as its causes are the same: each poll asks for it. */
type KnownShift = Pick<DriverState, "profile" | "warehouses"> & {
  shift: Hours | null;
  from: EpochMs;
  until: EpochMs;
};

/**
 * Checks everything that a capture needs, whenever the driver asks and an hour before their hours begin: then one message tells
 * the driver of the needs that only they can mend.
 */
export class ShiftChecks implements StepListener {
  readonly #deps: ShiftChecksDeps;
  #known: KnownShift | null = null;

  constructor(deps: ShiftChecksDeps) {
    this.#deps = deps;
  }

  /** The list, as things stand now. An object that no call has reached before knows no profile yet. */
  async list(owner: DriverOwner, { profile, isNumberPending }: KnownDriver): Promise<Check[]> {
    const { deps, store, machine } = this.#deps;
    const texts = await this.#textsOf(owner);
    const { state } = machine();
    const now = deps.now();
    const browsers = deps.config.vapid ? store.pushSubscriptions.list(now).length : null;
    return checkList({
      state: state.profile === null ? { ...state, profile } : state,
      now,
      settings: deps.config.engine,
      texts,
      wantsTexts: wantsTexts(owner),
      isNumberPending,
      push: browsers === null ? null : { browsers, lostAt: store.state.pushLostAt() },
    });
  }

  /** The stored part of the checks. */
  kept(): KeptChecks {
    const { state } = this.#deps.store;
    return { shiftCheck: state.shiftCheck(), pushLostAt: state.pushLostAt(), weekTold: state.weekTold() };
  }

  /** When everything is checked next; null if no hours of the driver's begin. */
  nextAt(): EpochMs | null {
    const shift = this.#nextShift(this.#deps.deps.now());
    return shift && shiftCheckAt(shift);
  }

  /**
   * A driver who changes their hours, switch or filters less than an hour before they begin looks at the dashboard just
   * now.
   */
  note({ before, event, state }: MachineStep, now: EpochMs): void {
    if (event.kind !== "profile_changed") return;
    const { state: stored } = this.#deps.store;
    const last = stored.shiftCheck();
    const shift = nextShift(state, last, now);
    if (!shift || shiftCheckAt(shift) > now) return;
    if (nextShift(before, last, now)?.opensAt === shift.opensAt) return;
    stored.write("shiftCheck", { startsAt: shift.opensAt, told: last?.told ?? [] });
    this.#known = null;
  }

  /**
   * Checks everything if that is due, and queues one message where something needs the driver. Stores the check first:
   * a crash loses the message, and nothing is told twice. Never throws.
   * @returns whether a message was queued
   */
  async run(owner: DriverOwner): Promise<boolean> {
    const { deps, store, machine } = this.#deps;
    const now = deps.now();
    const shift = this.#nextShift(now);
    if (!shift || shiftCheckAt(shift) > now) return false;
    const last = store.state.shiftCheck();
    store.state.write("shiftCheck", { startsAt: shift.opensAt, told: last?.told ?? [] });
    this.#known = null;
    try {
      const { profile } = machine().state;
      const checks = profile ? await this.list(owner, { profile, isNumberPending: false }) : [];
      const { state, owner: present } = machine();
      // The account may have been deleted, or switched off, meanwhile.
      if (present === null || !state.profile?.switchedOn) return false;
      const needs = needsBefore(shift, { state, checks, now, settings: deps.config.engine });
      store.state.write("shiftCheck", { startsAt: shift.opensAt, told: needs });
      const [need, ...more] = untold(needs, last);
      if (need === undefined) return false;
      const notification = {
        kind: "before_shift",
        startsAt: shift.opensAt,
        timeZone: shift.timeZone,
        need,
        more: more.length,
      } as const;
      notifyDriver(notification, { owner: present, state, store, config: deps.config, now });
      return true;
    } catch (error) {
      deps.log("warn", "driver.shift_check.failed", { driverId: owner.driverId, ...describeError(error) });
      return false;
    }
  }

  /** The storage was deleted. */
  forget(): void {
    this.#known = null;
  }

  #nextShift(now: EpochMs): Hours | null {
    const { store, machine } = this.#deps;
    const { profile, warehouses } = machine().state;
    const known = this.#known;
    const isKnown = known?.profile === profile && known.warehouses === warehouses;
    if (known && isKnown && known.from <= now && now < known.until) return known.shift;
    const shift = nextShift({ profile, warehouses }, store.state.shiftCheck(), now);
    this.#known = { profile, warehouses, shift, from: now, until: shift?.opensAt ?? now + HOUR_MS };
    return shift;
  }

  /** Null where the database doesn't answer: all else can still be checked. */
  async #textsOf({ driverId, phoneNumber }: DriverOwner): Promise<TextDelivery | null> {
    const { db, now, log } = this.#deps.deps;
    try {
      return await loadTextDelivery(db, phoneNumber, now());
    } catch (error) {
      log("warn", "driver.checks.texts_unknown", { driverId, ...describeError(error) });
      return null;
    }
  }
}

function wantsTexts({ notifications, reminders }: DriverOwner): boolean {
  return (
    NOTIFICATION_EVENTS.some((event) => notifications[event].text) ||
    REMINDERS.some((reminder) => reminders[reminder].text)
  );
}
