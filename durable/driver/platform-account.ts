import { waitsUntil } from "../engine/state/callable.ts";
import type { PlatformFailure } from "../engine/state/outcomes.ts";
import type { DriverOwner } from "../../db/shapes/profile.ts";
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
    return this.#callUnlessWaiting("rest", call);
  }

  /** Makes a call with a valid token. While the platform asked us to wait, fails as rate-limited without a request. */
  async request<Result extends { kind: string; retryAt?: unknown }>(
    call: (accessToken: string) => Promise<Result>,
    lane: LaneName = "rest",
  ): Promise<Result | PlatformFailure> {
    const result = await this.#callUnlessWaiting<Result | PlatformFailure>(lane, async () => {
      const tokens = this.tokens();
      if (tokens) return tokens.withToken(call);
      // Without a known owner the tokens can't be opened: the link stands until the owner is known again.
      return { kind: this.#store.state.sealedTokens() === null ? "signed_out" : "unreachable" };
    });
    this.#logSkipped(result);
    return result;
  }

  /** Makes a call with the tokens of the session in progress, which nothing else uses before its account is claimed. */
  async requestUnclaimed<Result extends { kind: string; retryAt?: unknown }>(
    call: (accessToken: string) => Promise<Result>,
  ): Promise<Result | PlatformFailure> {
    const result = await this.#callUnlessWaiting<Result | PlatformFailure>(
      "rest",
      async () => (await this.#unclaimedTokens()?.withToken(call)) ?? { kind: "signed_out" },
    );
    this.#logSkipped(result);
    return result;
  }

  #callUnlessWaiting<Result>(
    lane: LaneName,
    call: () => Promise<Result>,
  ): Promise<Result | { kind: "rate_limited"; retryAt: EpochMs }> {
    return this.#deps.connections.run(lane, async () => {
      const retryAt = this.waitsUntil();
      return retryAt === null ? call() : { kind: "rate_limited" as const, retryAt };
    });
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

  /**
   * Takes all tokens out of use, those of a session in progress too: from here on no call is made with them. Returns them
   * sealed.
   */
  takeTokens(): string[] {
    const { state } = this.#store;
    const sealed = [state.sealedTokens(), state.linkSession()?.sealedTokens ?? null];
    this.tokens()?.forget();
    // Even without a known owner, whose tokens could not be opened.
    state.write("tokens", null);
    state.write("linkSession", null);
    return sealed.filter((one) => one !== null);
  }

  /** Drops the cached tokens, because the object has a new owner or none. */
  forgetOwner(): void {
    this.#tokens = null;
  }

  /** Null if the object has no owner. */
  tokens(): TokenManager | null {
    const { owner } = this.#machine;
    if (!owner) return null;
    const { connections } = this.#deps;
    const { state } = this.#store;
    this.#tokens ??= this.#createTokens(owner, {
      inBackground: (work) => connections.run("rest", work),
      store: {
        load: () => state.sealedTokens(),
        save: (sealed) => state.write("tokens", sealed),
        setAside: (error) => state.setTokensAside(error),
      },
    });
    return this.#tokens;
  }

  /** The tokens of the session in progress. Null if the object has no owner. */
  #unclaimedTokens(): TokenManager | null {
    const { owner } = this.#machine;
    if (!owner) return null;
    const { state } = this.#store;
    const save = (sealedTokens: string | null) => {
      const linking = state.linkSession();
      if (linking) state.write("linkSession", { ...linking, sealedTokens });
    };
    return this.#createTokens(owner, {
      // A refresh that nobody awaits could end after these tokens were put into use.
      inBackground: async () => ({ kind: "unreachable" }),
      store: {
        load: () => state.linkSession()?.sealedTokens ?? null,
        save,
        setAside: () => save(null),
      },
    });
  }

  #createTokens(
    { driverId }: DriverOwner,
    kept: Pick<Parameters<typeof createTokenManager>[0], "store" | "inBackground">,
  ): TokenManager {
    const { keys, now, sleep, platform } = this.#deps;
    return createTokenManager({
      ...kept,
      driverId,
      keys,
      now,
      sleep,
      waitsUntil: () => this.waitsUntil(),
      refresh: (refreshToken) => platform.refreshTokens({ refreshToken }),
    });
  }
}
