import type { SetupAnswer } from "../../worker/contract/setup.ts";
import type { Warehouse } from "../engine/types.ts";
import type { EpochMs } from "../engine/units.ts";
import type { Keys } from "../keys.ts";
import type { Session, SessionAnswer } from "../platform/answers.ts";
import type { Platform } from "../platform/client.ts";
import type { TokenKeeper } from "../platform/tokens.ts";
import type { Identity, Linking } from "./stored.ts";
import type { StateTable } from "./tables/state.ts";

/** Why a step of linking failed; each is a code of the API. */
export type LinkFault =
  | { code: "link_credentials_wrong" | "link_locked" | "link_code_expired" | "link_denied" | "link_expired" }
  | { code: "link_code_wrong"; attemptsLeft: number | null }
  | { code: "rate_limited"; retryAt: EpochMs | null }
  | { code: "platform_unreachable" };

export type LinkStep = { ok: true; answer: SetupAnswer } | { ok: false; fault: LinkFault };

/** What the platform says of a driver once linked. */
export type Linked = {
  email: string;
  region: { id: string; name: string };
  timeZone: string;
  warehouses: readonly Warehouse[];
};

type Parts = {
  platform: Platform;
  tokens: TokenKeeper;
  keys: Keys;
  store: Pick<StateTable, "linking" | "write">;
  owner: Identity;
  isLinked: () => boolean;
  onLinked: (linked: Linked) => Promise<void>;
};

/** Links a driver's platform account: credentials, code, approval on the driver's device. */
export class LinkFlow {
  readonly #parts: Parts;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Begins anew. The password goes to the platform and is kept nowhere. */
  login({ email, password }: { email: string; password: string }): Promise<LinkStep> {
    const { platform, owner } = this.#parts;
    const device = { id: deviceId(owner), name: "Jornada" };
    return this.#inTurn(async () =>
      this.#take(email, await platform.createSession({ email, password, device })),
    );
  }

  answerCode(code: string): Promise<LinkStep> {
    return this.#inTurn(() => this.#answerCode(code));
  }

  resendCode(): Promise<LinkStep> {
    return this.#inTurn(() => this.#resendCode());
  }

  /** How far it has come; asks the platform where an approval may have been given. */
  read(): Promise<LinkStep> {
    return this.#inTurn(() => this.#read());
  }

  /** One step at a time: the platform gives the tokens once, and two devices may ask at the same moment. */
  #inTurn(take: () => Promise<LinkStep>): Promise<LinkStep> {
    const turn = this.#turn.then(take, take);
    this.#turn = turn;
    return turn;
  }

  async #answerCode(code: string): Promise<LinkStep> {
    const { platform, store } = this.#parts;
    const linking = store.linking();
    if (!linking) return { ok: false, fault: { code: "link_expired" } };
    const sessionId = await this.#sessionId(linking);
    return this.#take(linking.email, await platform.answerOtp({ sessionId, code }));
  }

  async #resendCode(): Promise<LinkStep> {
    const { platform, store } = this.#parts;
    const linking = store.linking();
    if (!linking) return { ok: false, fault: { code: "link_expired" } };
    const outcome = await platform.resendOtp({ sessionId: await this.#sessionId(linking) });
    if (outcome.kind === "sent") return { ok: true, answer: stepOf(linking) };
    return this.#fail(outcome);
  }

  async #read(): Promise<LinkStep> {
    const { platform, store, isLinked } = this.#parts;
    const linking = store.linking();
    if (!linking) return { ok: true, answer: { step: isLinked() ? "linked" : "credentials" } };
    if (linking.state === "approved") return this.#finish(linking.email);
    return this.#take(
      linking.email,
      await platform.readSession({ sessionId: await this.#sessionId(linking) }),
    );
  }

  async #sessionId(linking: Linking): Promise<string> {
    const { keys, owner } = this.#parts;
    const opened = await keys.open("tokens", { sealed: linking.sealedSessionId, context: owner.driverId });
    if (opened === null) throw new Error("the linking was sealed with a key that is gone");
    return opened;
  }

  async #take(email: string, outcome: SessionAnswer): Promise<LinkStep> {
    if (outcome.kind !== "session") return this.#fail(outcome);
    const { store, tokens } = this.#parts;
    const { session } = outcome;
    switch (session.state) {
      case "denied":
        store.write("linking", null);
        return { ok: false, fault: { code: "link_denied" } };
      case "expired":
        store.write("linking", null);
        return { ok: false, fault: { code: "link_expired" } };
      case "active":
        if (!session.tokens) {
          store.write("linking", null);
          return { ok: false, fault: { code: "link_expired" } };
        }
        await tokens.replace(session.tokens);
        // Kept until the rest is read too: the platform gives the tokens only once.
        store.write("linking", await this.#linking(email, session, "approved"));
        return this.#finish(email);
      case "otp_required":
      case "approval_required": {
        const linking = await this.#linking(email, session, session.state);
        store.write("linking", linking);
        return { ok: true, answer: stepOf(linking) };
      }
    }
  }

  async #linking(email: string, session: Session, state: Linking["state"]): Promise<Linking> {
    const { keys, owner } = this.#parts;
    return {
      sealedSessionId: await keys.seal("tokens", { plain: session.sessionId, context: owner.driverId }),
      email,
      state,
      channel: session.otp?.channel ?? null,
      destination: session.otp?.destination ?? null,
      expiresAt: session.expiresAt,
    };
  }

  async #finish(email: string): Promise<LinkStep> {
    const { platform, tokens, store, onLinked } = this.#parts;
    const driver = await tokens.withToken((accessToken) => platform.readDriver({ accessToken }));
    const listed = await tokens.withToken((accessToken) => platform.listWarehouses({ accessToken }));
    if (driver.kind === "signed_out" || listed.kind === "signed_out") {
      store.write("linking", null);
      return { ok: false, fault: { code: "link_expired" } };
    }
    if (driver.kind !== "driver" || listed.kind !== "warehouses") {
      return { ok: false, fault: { code: "platform_unreachable" } };
    }
    store.write("linking", null);
    await onLinked({
      email,
      region: driver.driver.region,
      timeZone: driver.driver.timeZone,
      warehouses: listed.warehouses,
    });
    return { ok: true, answer: { step: "linked" } };
  }

  #fail(outcome: Exclude<SessionAnswer, { kind: "session" }> | { kind: "sent" }): LinkStep {
    switch (outcome.kind) {
      case "invalid_credentials":
        return { ok: false, fault: { code: "link_credentials_wrong" } };
      case "account_locked":
        return { ok: false, fault: { code: "link_locked" } };
      case "otp_invalid":
        return { ok: false, fault: { code: "link_code_wrong", attemptsLeft: outcome.attemptsLeft } };
      case "approval_denied":
        this.#parts.store.write("linking", null);
        return { ok: false, fault: { code: "link_denied" } };
      case "otp_expired":
        return { ok: false, fault: { code: "link_code_expired" } };
      case "session_not_found":
        this.#parts.store.write("linking", null);
        return { ok: false, fault: { code: "link_expired" } };
      case "rate_limited":
        return { ok: false, fault: { code: "rate_limited", retryAt: outcome.retryAt } };
      default:
        return { ok: false, fault: { code: "platform_unreachable" } };
    }
  }
}

function stepOf(linking: Linking): SetupAnswer {
  if (linking.state !== "otp_required") return { step: "approval", expiresAt: linking.expiresAt };
  return {
    step: "otp",
    channel: linking.channel ?? "sms",
    destination: linking.destination ?? "",
    expiresAt: linking.expiresAt,
  };
}

/** One device a driver, so that linking again replaces and does not add. */
function deviceId(owner: Identity): string {
  return `jornada-${owner.driverId}`.slice(0, 64);
}
