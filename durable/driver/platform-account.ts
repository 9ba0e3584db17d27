import { waitsUntil } from "../engine/phase.ts";
import type { PlatformFailure } from "../engine/types.ts";
import type { EpochMs } from "../../db/shapes/units.ts";
import type { Deps } from "../deps.ts";
import { createTokenManager, type TokenManager } from "../platform/token-manager.ts";
import type { Machine } from "./machine.ts";
import type { Store } from "./storage/store.ts";

type PlatformAccountDeps = { deps: Deps; store: Store; machine: Machine };

/** The driver's account on the platform: its tokens, and the one gate through which every call in its name passes. */
export class PlatformAccount {
  readonly #deps: Deps;
  readonly #store: Store;
  readonly #machine: Machine;
  #tokens: TokenManager | null = null;

  constructor({ deps, store, machine }: PlatformAccountDeps) {
    this.#deps = deps;
    this.#store = store;
    this.#machine = machine;
  }

  /** The end of the wait that the platform asked for, whichever call it told; null where it may be called. */
  waitsUntil(): EpochMs | null {
    return waitsUntil(this.#machine.state, this.#deps.now());
  }

  /** Makes a call with a good token, unless the platform asked us to wait: then the call is refused here. */
  async request<Result extends { kind: string }>(
    call: (accessToken: string) => Promise<Result>,
  ): Promise<Result | PlatformFailure> {
    const retryAt = this.waitsUntil();
    if (retryAt !== null) return { kind: "rate_limited", retryAt };
    const tokens = this.tokens();
    return tokens ? tokens.withToken(call) : { kind: "signed_out" };
  }

  /** Signs out of the platform where it can be reached, and forgets the tokens in any case. */
  async endSession(): Promise<void> {
    if (this.#machine.state.link.status === "linked") {
      await this.request((accessToken) => this.#deps.platform.endSession({ accessToken }));
    }
    this.tokens()?.forget();
    // Also where nobody is known to own the object, and so nobody's tokens can be opened.
    this.#store.state.write("tokens", null);
    this.#store.state.write("linkSession", null);
  }

  /** Somebody else's account, or nobody's: the tokens at hand are not theirs. */
  forgetOwner(): void {
    this.#tokens = null;
  }

  /** Null where nobody owns the object. */
  tokens(): TokenManager | null {
    const { owner } = this.#machine;
    if (!owner) return null;
    const { keys, now, platform } = this.#deps;
    const { state } = this.#store;
    this.#tokens ??= createTokenManager({
      driverId: owner.driverId,
      keys,
      now,
      waitsUntil: () => this.waitsUntil(),
      refresh: (refreshToken) => platform.refreshTokens({ refreshToken }),
      store: {
        load: () => state.sealedTokens(),
        save: (sealed) => state.write("tokens", sealed),
        setAside: (error) => state.setTokensAside(error),
      },
    });
    return this.#tokens;
  }
}
