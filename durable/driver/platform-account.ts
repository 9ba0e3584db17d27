import type { EarningsAnswer } from "../../worker/contract/earnings.ts";
import type { Effect } from "../engine/types.ts";
import { createTokenKeeper, type TokenKeeper } from "../platform/tokens.ts";
import { Arriving } from "./arriving.ts";
import type { Core } from "./core.ts";
import { EarningsDesk } from "./earnings-desk.ts";
import { isPlatformEffect, perform, type Apply } from "./effects.ts";
import { LinkFlow, type Linked } from "./linking.ts";

type Parts = Core & {
  /** Sets the alarm for what the machine now waits for. */
  arm: () => Promise<void>;
  /** Tells D1 what waits to be told. */
  flush: () => Promise<void>;
};

/** The driver's account on the platform: its tokens, and all that is asked with them. */
export class PlatformAccount {
  readonly #parts: Parts;
  readonly #earnings: EarningsDesk;
  #tokens: TokenKeeper | null = null;
  #linking: LinkFlow | null = null;
  /** Whoever asked the platform before the driver left gets no answer. */
  #life = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { deps, store } = parts;
    this.#earnings = new EarningsDesk({ platform: deps.platform, store, now: deps.now });
  }

  /** The object's owner has changed: in what is known of them, or (`isOther`) in who they are. */
  meet({ isOther }: { isOther: boolean }): void {
    if (isOther) this.#tokens = null;
    this.#linking = null;
  }

  /** The driver leaves: what the platform still answers comes to nothing. */
  leave(): void {
    this.#life += 1;
    this.#tokens = null;
  }

  /** Makes the calls that a step asks for, one after the other. */
  async act(effects: readonly Effect[]): Promise<void> {
    const tokens = this.#keeper();
    if (!tokens) return;
    const { deps, owner } = this.#parts;
    const { platform, now, log } = deps;
    const driverId = owner()?.driverId ?? null;
    const tellSkipped = (count: number) => log("warn", "capture.offers.skipped", { driverId, count });
    const life = this.#life;
    const apply: Apply = async (event) => {
      if (life === this.#life) await this.#parts.apply(event);
    };
    for (const effect of effects.filter(isPlatformEffect)) {
      await perform(effect, { platform, tokens, now, apply, tellSkipped });
    }
  }

  /** The driver takes the selfie on the platform's own page; only the platform knows when it is done. */
  async askVerification(): Promise<void> {
    const { deps, apply } = this.#parts;
    const answer = await this.#keeper()?.withToken((accessToken) =>
      deps.platform.readDriver({ accessToken }),
    );
    if (answer?.kind === "driver" && !answer.driver.verification.required) {
      await apply({ kind: "verification_cleared" });
    }
  }

  /** What the driver earned in this week and the last; null where no account is linked, or none was ever read. */
  async earnings(): Promise<EarningsAnswer["earnings"]> {
    const tokens = this.#keeper();
    const owner = this.#parts.owner();
    const { link, throttle } = this.#parts.state();
    if (!tokens || !owner || link.status === "unlinked") return null;
    return this.#earnings.read({ tokens, timeZone: owner.timeZone, quietUntil: throttle.until });
  }

  arriving(): Arriving {
    const { deps, state, apply } = this.#parts;
    return new Arriving({ platform: deps.platform, tokens: this.#keeper(), now: deps.now, state, apply });
  }

  linking(): LinkFlow {
    const { deps, store, state } = this.#parts;
    const owner = this.#parts.owner();
    const tokens = this.#keeper();
    if (!owner || !tokens) throw new Error("linking before the driver is known");
    this.#linking ??= new LinkFlow({
      platform: deps.platform,
      keys: deps.keys,
      tokens,
      store: store.state,
      owner,
      isLinked: () => state().link.status === "linked",
      onLinked: (linked) => this.#linked(linked),
    });
    return this.#linking;
  }

  async #linked({ email, region, timeZone, warehouses }: Linked): Promise<void> {
    const { deps, store, apply, arm, flush } = this.#parts;
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
    await flush();
  }

  /** Forgets the account. The platform is told where it can be reached. */
  async unlink(): Promise<void> {
    const { deps, store, apply, arm, flush } = this.#parts;
    await this.endSession();
    this.#earnings.forget();
    await apply({ kind: "unlinked" });
    store.outbox.add(
      { kind: "record_changed", change: { proxyInstalled: false, flexEmail: null } },
      deps.now(),
    );
    await flush();
    await arm();
  }

  /** Signs out of the platform where it can be reached, and forgets the tokens in any case. */
  async endSession(): Promise<void> {
    const { deps, store, state } = this.#parts;
    const tokens = this.#keeper();
    if (tokens && state().link.status === "linked") {
      await tokens.withToken((accessToken) => deps.platform.endSession({ accessToken }));
    }
    tokens?.forget();
    store.state.write("linking", null);
  }

  #keeper(): TokenKeeper | null {
    const { deps, store } = this.#parts;
    const owner = this.#parts.owner();
    if (!owner) return null;
    this.#tokens ??= createTokenKeeper({
      driverId: owner.driverId,
      keys: deps.keys,
      now: deps.now,
      refresh: (refreshToken) => deps.platform.refreshTokens({ refreshToken }),
      store: {
        read: () => store.state.sealedTokens(),
        write: (sealed) => store.state.write("tokens", sealed),
      },
    });
    return this.#tokens;
  }
}
