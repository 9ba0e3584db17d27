import type { AttemptId, DurationMs, EpochMs } from "../../db/shapes/units.ts";
import type { MachineEvent, PlatformCall, ListParts } from "../engine/state/types.ts";
import type { LaneName } from "../runtime/lane.ts";
import type { Deps } from "../deps.ts";
import { describeError } from "../runtime/describe-error.ts";
import type { Platform } from "../platform/client.ts";
import type { Alarm } from "./alarm.ts";
import type { Machine } from "./machine.ts";
import type { PlatformAccount } from "./platform-account.ts";

type EventLoopDeps = { deps: Deps; machine: Machine; account: PlatformAccount; alarm: Alarm };

/**
 * Feeds events to the machine and performs the platform calls that it requests. Events are processed in order and
 * one at a time; the outcome of a call is another event. All writes of an event happen without an await between
 * them, so the storage commits them as one transaction. Its output gate holds a call back until they are durable:
 * an attempt is always stored before its accept leaves.
 */
export class EventLoop {
  readonly #deps: Deps;
  readonly #machine: Machine;
  readonly #account: PlatformAccount;
  readonly #alarm: Alarm;
  readonly #events: MachineEvent[] = [];
  readonly #calls = new Map<Promise<void>, PlatformCall["kind"]>();
  #change = Promise.withResolvers<void>();
  #isDraining = false;
  /** Outcomes of calls from an earlier generation are dropped. */
  #generation = 0;

  constructor({ deps, machine, account, alarm }: EventLoopDeps) {
    this.#deps = deps;
    this.#machine = machine;
    this.#account = account;
    this.#alarm = alarm;
  }

  dispatch(event: MachineEvent): void {
    this.#events.push(event);
    if (this.#isDraining) return;
    this.#isDraining = true;
    try {
      for (let next = this.#events.shift(); next; next = this.#events.shift()) {
        for (const call of this.#machine.step(next)) this.#start(call);
      }
    } finally {
      this.#isDraining = false;
      this.#noteChange();
    }
  }

  /** Whether a call that the machine requested is in flight. */
  get isBusy(): boolean {
    return this.#calls.size > 0;
  }

  /** Waits for the next event, for the end of a call, or until an instant, whichever comes first. */
  async waitForChange(until: EpochMs | null): Promise<void> {
    const { now, sleep } = this.#deps;
    if (until === null) return this.#change.promise;
    const timer = new AbortController();
    await Promise.race([this.#change.promise, sleep(Math.max(0, until - now()), timer.signal)]);
    // With a reason of our own: otherwise the runtime would create an error with a stack, twice a poll.
    timer.abort("changed");
  }

  /** Dispatches the event and waits for the calls in flight, except polls and accepts, which never stop. */
  async settle(event: MachineEvent): Promise<void> {
    this.dispatch(event);
    const awaited = [...this.#calls].filter(([, kind]) => kind !== "poll" && kind !== "accept");
    await Promise.all(awaited.map(([call]) => call));
  }

  /**
   * Makes a call that the machine did not request, such as earnings. If the platform asks us to wait, the machine is
   * notified, so that all other calls wait too.
   */
  async request<Result extends { kind: string; retryAt?: unknown }>(
    call: (accessToken: string) => Promise<Result>,
    lane: LaneName = "rest",
  ) {
    const result = await this.#account.request(call, lane);
    this.noteRefusal(result);
    return result;
  }

  /** Notifies the machine if a result is a rate limit, or another failure that states a wait. */
  noteRefusal({ kind, retryAt }: { kind: string; retryAt?: unknown }): void {
    const stated = typeof retryAt === "number" ? retryAt : null;
    if (kind === "rate_limited") this.dispatch({ kind, retryAt: stated });
    else if (stated !== null) this.dispatch({ kind: "wait_stated", retryAt: stated });
  }

  /** Waits for the accepts in flight, but no longer than that. @returns whether there were any */
  async settleAccepts(limitMs: DurationMs): Promise<boolean> {
    const accepts = [...this.#calls].flatMap(([call, kind]) => (kind === "accept" ? [call] : []));
    if (accepts.length === 0) return false;
    const timer = new AbortController();
    await Promise.race([Promise.all(accepts), this.#deps.sleep(limitMs, timer.signal)]);
    timer.abort();
    return true;
  }

  /** Drops the outcomes of all calls in flight. */
  abandonCalls(): void {
    this.#generation += 1;
  }

  #start(call: PlatformCall): void {
    const { platform, now, log } = this.#deps;
    const driverId = this.#machine.owner?.driverId ?? null;
    const generation = this.#generation;
    const { link } = this.#machine.state;
    const running = performCall(
      call,
      (event) => {
        if (generation !== this.#generation) return;
        // Offers listed for an unlinked account aren't for the linked one. Only what an accept took for it still counts,
        // and the wait that the platform asks for, which may be about the address that we call from.
        const isOfPastLink = event.kind !== "accepted" && this.#machine.state.link !== link;
        if (!isOfPastLink) this.dispatch(event);
        else this.noteRefusal(event.outcome);
      },
      {
        platform,
        account: this.#account,
        now,
        maySend: (attemptId) => this.#machine.maySendAccept(attemptId),
      },
    )
      .finally(() => {
        this.#calls.delete(running);
        this.#noteChange();
      })
      // While it was in flight, the alarm was set for its time-out, and by now nobody may be waiting for its response.
      .then(() => this.#alarm.set())
      .catch((error: unknown) => {
        log("error", "capture.call.failed", { driverId, call: call.kind, ...describeError(error) });
      });
    this.#calls.set(running, call.kind);
  }

  #noteChange(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }
}

/** The event that a call's outcome is. */
type CallOutcome = Extract<
  MachineEvent,
  { kind: "polled" | "blocks_read" | "verification_checked" | "accepted" }
>;

/** The parts of the object that a call needs. */
type CallContext = {
  platform: Platform;
  account: PlatformAccount;
  now: () => EpochMs;
  /** Whether an accept may leave now, by the state of this moment. */
  maySend: (attemptId: AttemptId) => boolean;
};

/** Makes a call and emits an event for each outcome as it arrives. Never throws. */
async function performCall(
  call: PlatformCall,
  emit: (event: CallOutcome) => void,
  { platform, account, now, maySend }: CallContext,
): Promise<void> {
  switch (call.kind) {
    case "poll": {
      const startedAt = now();
      let calls: EpochMs[] = [];
      const onCall = () => {
        calls.push(now());
      };
      const { warehouseIds, etag, maxCalls, parts } = call;
      let nextParts: ListParts | null | undefined;
      const onParts = (next: ListParts | null) => {
        nextParts = next;
      };
      const outcome = await account.request((accessToken) => {
        // The call may have refreshed a token first, or tried an old one in vain.
        calls = [];
        return platform.listOffers({ accessToken, warehouseIds, etag, maxCalls, parts, onCall, onParts });
      }, "poll");
      const [sentAt = startedAt, ...partsSentAt] = calls;
      return emit({
        kind: "polled",
        sentAt,
        ...(partsSentAt.length > 0 && { partsSentAt }),
        ...(nextParts !== undefined && { parts: nextParts }),
        outcome,
      });
    }
    case "read_blocks": {
      const outcome = await account.request(
        (accessToken) => platform.listBlocks({ accessToken, from: call.from, to: call.to }),
        "blocks",
      );
      return emit({ kind: "blocks_read", outcome });
    }
    case "check_verification": {
      const result = await account.request((accessToken) => platform.readDriver({ accessToken }));
      if (result.kind !== "driver") return emit({ kind: "verification_checked", outcome: result });
      const { required } = result.driver.verification;
      return emit({ kind: "verification_checked", outcome: { kind: "verification", required } });
    }
    case "accept":
      await Promise.all(
        call.attempts.map(async ({ attemptId, offer, payAtLeastCents }) => {
          const outcome = await account.request(
            async (accessToken) =>
              // A token may have been refreshed since the engine decided, so the current state decides.
              maySend(attemptId)
                ? platform.acceptOffer({ accessToken, offerId: offer.offerId, attemptId, payAtLeastCents })
                : { kind: "withdrawn" as const },
            "accept",
          );
          emit({ kind: "accepted", attemptId, outcome });
        }),
      );
  }
}
