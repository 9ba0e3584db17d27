import { waitsUntil } from "../engine/state/callable.ts";
import type { PlatformFailure } from "../engine/state/outcomes.ts";
import type { EpochMs } from "../../db/shapes/units.ts";
import type { LaneName } from "../runtime/lane.ts";
import type { Deps } from "../deps.ts";
import { createTokenManager, type TokenManager } from "../platform/token-manager.ts";
import type { Machine } from "./machine.ts";
import type { Store } from "./storage/store.ts";

type PlatformAccountDeps = { deps: Deps; store: Store; machine: Machine };

/** The driver's platform account: its tokens, and the one place through which every call with a token is made. */
export class PlatformAccount {
  readonly #deps: Deps;
  readonly #store: Store;
  readonly #machine: Machine;
  #tokens: TokenManager | null = null;
  /** How many items of each list could not be read last time. */
  readonly #skipped = new Map<string, number>();

  constructor({ deps, store, machine }: PlatformAccountDeps) {
    this.#deps = deps;
    this.#store = store;
    this.#machine = machine;
  }

  /** The end of the wait that the platform asked for, whichever call was rate-limited; null if it may be called. */
  waitsUntil(): EpochMs | null {
    return waitsUntil(this.#machine.state, this.#deps.now());
  }

  /** Makes a call without a token. While the platform asked us to wait, fails as rate-limited without a request. */
  requestWithoutToken<Result>(
    call: () => Promise<Result>,
  ): Promise<Result | { kind: "rate_limited"; retryAt: EpochMs }> {
    return this.#deps.connections.run("rest", async () => {
      const retryAt = this.waitsUntil();
      return retryAt === null ? call() : { kind: "rate_limited" as const, retryAt };
    });
  }

  /** Makes a call with a valid token. While the platform asked us to wait, fails as rate-limited without a request. */
  async request<Result extends { kind: string; retryAt?: unknown }>(
    call: (accessToken: string) => Promise<Result>,
    lane: LaneName = "rest",
  ): Promise<Result | PlatformFailure> {
    const result = await this.#deps.connections.run<Result | PlatformFailure>(lane, async () => {
      const retryAt = this.waitsUntil();
      if (retryAt !== null) return { kind: "rate_limited", retryAt };
      const tokens = this.tokens();
      if (tokens) return tokens.withToken(call);
      // Without a known owner the tokens can't be opened: the link stands until the owner is known again.
      return { kind: this.#store.state.sealedTokens() === null ? "signed_out" : "unreachable" };
    });
    this.#logSkipped(result);
    return result;
  }

  /** Logs how many items of a list violate the platform's contract. Polls repeat every second, so only when it changes. */
  #logSkipped(result: { kind: string; skipped?: unknown }): void {
    const { kind, skipped } = result;
    if (typeof skipped !== "number" || skipped === (this.#skipped.get(kind) ?? 0)) return;
    this.#skipped.set(kind, skipped);
    const driverId = this.#machine.owner?.driverId ?? null;
    if (skipped > 0)
      this.#deps.log("warn", "platform.items.skipped", { driverId, list: kind, count: skipped });
  }

  /** Takes the tokens out of use: from here on no call is made with them. Returns them sealed, null if there are none. */
  takeTokens(): string | null {
    const sealed = this.#store.state.sealedTokens();
    this.tokens()?.forget();
    // Even without a known owner, whose tokens could not be opened.
    this.#store.state.write("tokens", null);
    this.#store.state.write("linkSession", null);
    return sealed;
  }

  /** Drops the cached tokens, because the object has a new owner or none. */
  forgetOwner(): void {
    this.#tokens = null;
  }

  /** Null if the object has no owner. */
  tokens(): TokenManager | null {
    const { owner } = this.#machine;
    if (!owner) return null;
    const { keys, now, platform, connections } = this.#deps;
    const { state } = this.#store;
    this.#tokens ??= createTokenManager({
      driverId: owner.driverId,
      keys,
      now,
      waitsUntil: () => this.waitsUntil(),
      refresh: (refreshToken) => platform.refreshTokens({ refreshToken }),
      inBackground: (work) => connections.run("rest", work),
      store: {
        load: () => state.sealedTokens(),
        save: (sealed) => state.write("tokens", sealed),
        setAside: (error) => state.setTokensAside(error),
      },
    });
    return this.#tokens;
  }
}
