import type { LinkResult, SetupResponse } from "../../db/shapes/linking.ts";
import type { Warehouse } from "../../db/shapes/offer.ts";
import type { Keys } from "../runtime/keys.ts";
import type { PlatformSession, SessionResult } from "../platform/results.ts";
import type { Platform } from "../platform/client.ts";
import type { TokenManager } from "../platform/token-manager.ts";
import type { DriverOwner } from "../../db/shapes/profile.ts";
import type { LinkSession } from "./storage/stored-shapes.ts";
import type { StateTable } from "./storage/tables/state.ts";

/** What the platform says of a driver once linked. */
export type LinkDetails = {
  email: string;
  region: { id: string; name: string };
  timeZone: string;
  warehouses: readonly Warehouse[];
};

type LinkFlowDeps = {
  platform: Platform;
  tokens: TokenManager;
  keys: Keys;
  store: Pick<StateTable, "linkSession" | "write">;
  owner: DriverOwner;
  isLinked: () => boolean;
  onLinked: (linked: LinkDetails) => Promise<void>;
};

/** Links a driver's platform account: credentials, code, approval on the driver's device. */
export class LinkFlow {
  readonly #deps: LinkFlowDeps;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(parts: LinkFlowDeps) {
    this.#deps = parts;
  }

  /** Begins anew. The password goes to the platform and is kept nowhere. */
  login({ email, password }: { email: string; password: string }): Promise<LinkResult> {
    const { platform, owner } = this.#deps;
    const device = { id: deviceId(owner), name: "Jornada" };
    return this.#enqueue(async () =>
      this.#applySession(email, await platform.createSession({ email, password, device })),
    );
  }

  submitCode(code: string): Promise<LinkResult> {
    return this.#enqueue(() => this.#submitCode(code));
  }

  resendCode(): Promise<LinkResult> {
    return this.#enqueue(() => this.#resendCode());
  }

  /** How far it has come; asks the platform where an approval may have been given. */
  fetchStatus(): Promise<LinkResult> {
    return this.#enqueue(() => this.#fetchStatus());
  }

  /** One step at a time: the platform gives the tokens once, and two devices may ask at the same moment. */
  #enqueue(task: () => Promise<LinkResult>): Promise<LinkResult> {
    const result = this.#queue.then(task, task);
    this.#queue = result;
    return result;
  }

  async #submitCode(code: string): Promise<LinkResult> {
    const { platform, store } = this.#deps;
    const linking = store.linkSession();
    if (!linking) return { ok: false, error: { code: "link_expired" } };
    const sessionId = await this.#openSessionId(linking);
    if (sessionId === null) return this.#expire();
    return this.#applySession(linking.email, await platform.answerOtp({ sessionId, code }));
  }

  async #resendCode(): Promise<LinkResult> {
    const { platform, store } = this.#deps;
    const linking = store.linkSession();
    if (!linking) return { ok: false, error: { code: "link_expired" } };
    const sessionId = await this.#openSessionId(linking);
    if (sessionId === null) return this.#expire();
    const outcome = await platform.resendOtp({ sessionId });
    if (outcome.kind === "sent") return { ok: true, response: toSetupResponse(linking) };
    return this.#toError(outcome);
  }

  async #fetchStatus(): Promise<LinkResult> {
    const { platform, store, isLinked } = this.#deps;
    const linking = store.linkSession();
    if (!linking) return { ok: true, response: { step: isLinked() ? "linked" : "credentials" } };
    if (linking.state === "approved") return this.#finish(linking.email);
    const sessionId = await this.#openSessionId(linking);
    if (sessionId === null) return this.#expire();
    return this.#applySession(linking.email, await platform.readSession({ sessionId }));
  }

  /** Null where it was sealed with a key that is gone. */
  #openSessionId({ sealedSessionId }: LinkSession): Promise<string | null> {
    const { keys, owner } = this.#deps;
    return keys.open("tokens", { sealed: sealedSessionId, context: owner.driverId });
  }

  #expire(): LinkResult {
    this.#deps.store.write("linkSession", null);
    return { ok: false, error: { code: "link_expired" } };
  }

  async #applySession(email: string, outcome: SessionResult): Promise<LinkResult> {
    if (outcome.kind !== "session") return this.#toError(outcome);
    const { store, tokens } = this.#deps;
    const { session } = outcome;
    switch (session.state) {
      case "denied":
        store.write("linkSession", null);
        return { ok: false, error: { code: "link_denied" } };
      case "expired":
        store.write("linkSession", null);
        return { ok: false, error: { code: "link_expired" } };
      case "active":
        if (!session.tokens) {
          store.write("linkSession", null);
          return { ok: false, error: { code: "link_expired" } };
        }
        await tokens.replace(session.tokens);
        // Kept until the rest is read too: the platform gives the tokens only once.
        store.write("linkSession", await this.#toLinkSession(email, session, "approved"));
        return this.#finish(email);
      case "otp_required":
      case "approval_required": {
        const linking = await this.#toLinkSession(email, session, session.state);
        store.write("linkSession", linking);
        return { ok: true, response: toSetupResponse(linking) };
      }
    }
  }

  async #toLinkSession(
    email: string,
    session: PlatformSession,
    state: LinkSession["state"],
  ): Promise<LinkSession> {
    const { keys, owner } = this.#deps;
    return {
      sealedSessionId: await keys.seal("tokens", { plain: session.sessionId, context: owner.driverId }),
      email,
      state,
      channel: session.otp?.channel ?? null,
      destination: session.otp?.destination ?? null,
      expiresAt: session.expiresAt,
    };
  }

  async #finish(email: string): Promise<LinkResult> {
    const { platform, tokens, store, onLinked } = this.#deps;
    const driver = await tokens.withToken((accessToken) => platform.readDriver({ accessToken }));
    const listed = await tokens.withToken((accessToken) => platform.listWarehouses({ accessToken }));
    if (driver.kind === "signed_out" || listed.kind === "signed_out") {
      store.write("linkSession", null);
      return { ok: false, error: { code: "link_expired" } };
    }
    if (driver.kind !== "driver" || listed.kind !== "warehouses") {
      return { ok: false, error: { code: "platform_unreachable" } };
    }
    store.write("linkSession", null);
    await onLinked({
      email,
      region: driver.driver.region,
      timeZone: driver.driver.timeZone,
      warehouses: listed.warehouses,
    });
    return { ok: true, response: { step: "linked" } };
  }

  #toError(outcome: Exclude<SessionResult, { kind: "session" }> | { kind: "sent" }): LinkResult {
    switch (outcome.kind) {
      case "invalid_credentials":
        return { ok: false, error: { code: "link_credentials_wrong" } };
      case "account_locked":
        return { ok: false, error: { code: "link_locked" } };
      case "otp_invalid":
        return { ok: false, error: { code: "link_code_wrong", attemptsLeft: outcome.attemptsLeft } };
      case "approval_denied":
        this.#deps.store.write("linkSession", null);
        return { ok: false, error: { code: "link_denied" } };
      case "otp_expired":
        return { ok: false, error: { code: "link_code_expired" } };
      case "session_not_found":
        this.#deps.store.write("linkSession", null);
        return { ok: false, error: { code: "link_expired" } };
      case "rate_limited":
        return { ok: false, error: { code: "rate_limited", retryAt: outcome.retryAt } };
      default:
        return { ok: false, error: { code: "platform_unreachable" } };
    }
  }
}

function toSetupResponse(linking: LinkSession): SetupResponse {
  if (linking.state !== "otp_required") return { step: "approval", expiresAt: linking.expiresAt };
  return {
    step: "otp",
    channel: linking.channel ?? "sms",
    destination: linking.destination ?? "",
    expiresAt: linking.expiresAt,
  };
}

/** One device a driver, so that linking again replaces and does not add. */
function deviceId(owner: DriverOwner): string {
  return `jornada-${owner.driverId}`.slice(0, 64);
}
