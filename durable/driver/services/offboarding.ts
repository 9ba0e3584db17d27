import type { DurationMs } from "../../../db/shapes/units.ts";
import type { Deps } from "../../deps.ts";
import type { Alarm } from "../alarm.ts";
import type { EventLoop } from "../event-loop.ts";
import type { Heartbeat } from "../heartbeat.ts";
import type { ListingLog } from "../logs/listing-log.ts";
import type { Machine } from "../machine.ts";
import type { Maintenance } from "../maintenance.ts";
import type { Ownership } from "../ownership.ts";
import type { PlatformAccount } from "../platform-account.ts";
import type { Sockets } from "../sockets.ts";
import type { Store } from "../storage/store.ts";
import type { LostTimeKeeper } from "../logs/lost-time-keeper.ts";
import type { EarningsService } from "./earnings-service.ts";
import type { LinkFlow } from "./link-flow.ts";
import type { LostDayMessage } from "./lost-day-message.ts";
import type { ShiftChecks } from "./shift-checks.ts";
import type { WeekMessage } from "./week-message.ts";

type OffboardingDeps = {
  deps: Pick<Deps, "now">;
  store: Store;
  sockets: Sockets;
  listings: ListingLog;
  machine: Machine;
  account: PlatformAccount;
  links: LinkFlow;
  ownership: Ownership;
  loop: EventLoop;
  alarm: Alarm;
  maintenance: Maintenance;
  heartbeat: Heartbeat;
  earnings: EarningsService;
  shiftChecks: ShiftChecks;
  weekMessage: WeekMessage;
  lostTime: LostTimeKeeper;
  lostDayMessage: LostDayMessage;
  /** Lets no other call begin meanwhile. */
  alone: (work: () => Promise<void>) => Promise<void>;
};

/** How long a deletion waits for the platform's answer to an accept. */
const ACCEPT_LIMIT_MS: DurationMs = 3_000;

/** The driver leaves the platform's account, or ours. */
export class Offboarding {
  readonly #parts: OffboardingDeps;

  constructor(parts: OffboardingDeps) {
    this.#parts = parts;
  }

  async unlink(): Promise<void> {
    const { deps, store, machine, earnings, maintenance, alarm } = this.#parts;
    // After the account was deleted, in another tab, there is nothing left to end.
    if (!store.state.hasRows()) return;
    this.#leavePlatform();
    earnings.forget();
    // Without a known owner it is not known either whose record it would be.
    if (machine.owner !== null) {
      const change = { proxyInstalled: false, flexEmail: null };
      store.outbox.add({ kind: "record_changed", change }, deps.now());
    }
    await maintenance.flush();
    await alarm.set();
  }

  async deleteAccount(): Promise<void> {
    const { store, sockets, listings, machine, account, links, ownership, loop } = this.#parts;
    const { alarm, maintenance, heartbeat, shiftChecks, weekMessage, lostTime, lostDayMessage, alone } =
      this.#parts;
    ownership.noteDeletion();
    this.#leavePlatform();
    // The driver has to know of a block that an accept under way still takes, and nothing can tell them afterwards.
    if (await loop.settleAccepts(ACCEPT_LIMIT_MS)) await maintenance.flush();
    loop.abandonCalls();
    // A step of linking that is under way may bring another session, or put it into use.
    await links.settle();
    this.#leavePlatform();
    // Once, then the tokens are erased with everything else.
    await maintenance.endSessions();
    account.forgetOwner();
    machine.disown();
    sockets.closeAll();
    store.liveSessions.keepSessions([]);
    // A maintenance run may still be copying to and from D1, and the caller erases D1 next.
    await maintenance.drain();
    await heartbeat.end();
    await alone(async () => {
      machine.reset();
      await store.reset();
      alarm.forget();
      listings.forget();
      shiftChecks.forget();
      weekMessage.forget();
      lostTime.forget();
      lostDayMessage.forget();
    });
  }

  /** Stops all work on the platform, then leaves its sessions to be ended: no accept follows, however slow it answers. */
  #leavePlatform(): void {
    const { deps, store, account, loop } = this.#parts;
    const taken = account.takeTokens();
    loop.dispatch({ kind: "unlinked" });
    for (const sealedTokens of taken) store.outbox.add({ kind: "session_end", sealedTokens }, deps.now());
  }
}
