import type { EarningsResponse } from "../../db/shapes/earnings.ts";
import type { Effect } from "../engine/types.ts";
import { createTokenManager, type TokenManager } from "../platform/token-manager.ts";
import { CheckInService } from "./check-in-service.ts";
import type { DriverContext } from "./driver-context.ts";
import { EarningsService } from "./earnings-service.ts";
import { isPlatformEffect, performEffect, type ApplyEvent } from "./effects.ts";
import { LinkFlow, type LinkDetails } from "./link-flow.ts";

type PlatformGatewayDeps = DriverContext & {
  /** Sets the alarm for what the machine now waits for. */
  arm: () => Promise<void>;
  /** Tells D1 what waits to be told. */
  flushOutbox: () => Promise<void>;
};

/** The driver's account on the platform: its tokens, and all that is asked with them. */
export class PlatformGateway {
  readonly #deps: PlatformGatewayDeps;
  readonly #earnings: EarningsService;
  #tokens: TokenManager | null = null;
  #linkFlow: LinkFlow | null = null;
  /** Whoever asked the platform before the driver left gets no answer. */
  #generation = 0;

  constructor(parts: PlatformGatewayDeps) {
    this.#deps = parts;
    const { deps, store } = parts;
    this.#earnings = new EarningsService({ platform: deps.platform, store, now: deps.now });
  }

  /** The object's owner has changed: in what is known of them, or (`isOther`) in who they are. */
  attach({ isOther }: { isOther: boolean }): void {
    if (isOther) this.#tokens = null;
    this.#linkFlow = null;
  }

  /** The driver leaves: what the platform still answers comes to nothing. */
  detach(): void {
    this.#generation += 1;
    this.#tokens = null;
  }

  /** Makes the calls that a step asks for, one after the other. */
  async performAll(effects: readonly Effect[]): Promise<void> {
    const tokens = this.#tokenManager();
    if (!tokens) return;
    const { deps, owner } = this.#deps;
    const { platform, now, log } = deps;
    const driverId = owner()?.driverId ?? null;
    const logSkipped = (count: number) => log("warn", "capture.offers.skipped", { driverId, count });
    const generation = this.#generation;
    const apply: ApplyEvent = async (event) => {
      if (generation === this.#generation) await this.#deps.apply(event);
    };
    for (const effect of effects.filter(isPlatformEffect)) {
      await performEffect(effect, { platform, tokens, now, apply, tellSkipped: logSkipped });
    }
  }

  /** The driver takes the selfie on the platform's own page; only the platform knows when it is done. */
  async checkVerification(): Promise<void> {
    const { deps, apply } = this.#deps;
    const result = await this.#tokenManager()?.withToken((accessToken) =>
      deps.platform.readDriver({ accessToken }),
    );
    if (result?.kind === "driver" && !result.driver.verification.required) {
      await apply({ kind: "verification_cleared" });
    }
  }

  /** What the driver earned in this week and the last; null where no account is linked, or none was ever read. */
  async earnings(): Promise<EarningsResponse["earnings"]> {
    const tokens = this.#tokenManager();
    const owner = this.#deps.owner();
    const { link, throttle } = this.#deps.state();
    if (!tokens || !owner || link.status === "unlinked") return null;
    return this.#earnings.fetch({ tokens, timeZone: owner.timeZone, throttledUntil: throttle.until });
  }

  checkInService(): CheckInService {
    const { deps, state, apply } = this.#deps;
    return new CheckInService({
      platform: deps.platform,
      tokens: this.#tokenManager(),
      now: deps.now,
      state,
      apply,
    });
  }

  linkFlow(): LinkFlow {
    const { deps, store, state } = this.#deps;
    const owner = this.#deps.owner();
    const tokens = this.#tokenManager();
    if (!owner || !tokens) throw new Error("linking before the driver is known");
    this.#linkFlow ??= new LinkFlow({
      platform: deps.platform,
      keys: deps.keys,
      tokens,
      store: store.state,
      owner,
      isLinked: () => state().link.status === "linked",
      onLinked: (linked) => this.#onLinked(linked),
    });
    return this.#linkFlow;
  }

  async #onLinked({ email, region, timeZone, warehouses }: LinkDetails): Promise<void> {
    const { deps, store, apply, arm, flushOutbox } = this.#deps;
    const change = {
      proxyInstalled: true,
      flexEmail: email,
      humanRegion: region.name,
      humanTimezone: timeZone,
    };
    store.outbox.add({ kind: "record_changed", change }, deps.now());
    this.#earnings.forget();
    await apply({ kind: "linked", warehouses });
    await arm();
    // Told to D1 before the driver hears of it: the next screen asks D1.
    await flushOutbox();
  }

  /** Forgets the account. The platform is told where it can be reached. */
  async unlink(): Promise<void> {
    const { deps, store, apply, arm, flushOutbox } = this.#deps;
    await this.endSession();
    this.#earnings.forget();
    await apply({ kind: "unlinked" });
    store.outbox.add(
      { kind: "record_changed", change: { proxyInstalled: false, flexEmail: null } },
      deps.now(),
    );
    await flushOutbox();
    await arm();
  }

  /** Signs out of the platform where it can be reached, and forgets the tokens in any case. */
  async endSession(): Promise<void> {
    const { deps, store, state } = this.#deps;
    const tokens = this.#tokenManager();
    if (tokens && state().link.status === "linked") {
      await tokens.withToken((accessToken) => deps.platform.endSession({ accessToken }));
    }
    tokens?.forget();
    // Also where nobody is known to own the object, and so nobody's tokens can be opened.
    store.state.write("tokens", null);
    store.state.write("linkSession", null);
  }

  #tokenManager(): TokenManager | null {
    const { deps, store } = this.#deps;
    const owner = this.#deps.owner();
    if (!owner) return null;
    this.#tokens ??= createTokenManager({
      driverId: owner.driverId,
      keys: deps.keys,
      now: deps.now,
      refresh: (refreshToken) => deps.platform.refreshTokens({ refreshToken }),
      store: {
        load: () => store.state.sealedTokens(),
        save: (sealed) => store.state.write("tokens", sealed),
        setAside: (error) => store.state.setTokensAside(error),
      },
    });
    return this.#tokens;
  }
}
