import type { LinkResult, SetupResponse } from "../../../db/shapes/work/linking.ts";
import type { DriverOwner } from "../../../db/shapes/profile.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { claimPlatformAccount, takePlatformAccount } from "../../../db/queries/fleet/platform-accounts.ts";
import { describeError } from "../../runtime/describe-error.ts";
import type { Deps } from "../../deps.ts";
import type { PlatformFailure } from "../../engine/state/outcomes.ts";
import type { PlatformSession, SessionResult } from "../../platform/results.ts";
import type { EventLoop } from "../event-loop.ts";
import type { Machine } from "../machine.ts";
import type { PlatformAccount } from "../platform-account.ts";
import type { Store } from "../storage/store.ts";
import type { LinkSession } from "../storage/stored-shapes.ts";

type LinkFlowDeps = {
  deps: Deps;
  store: Store;
  machine: Machine;
  account: PlatformAccount;
  loop: EventLoop;
  /** The object's own. */
  objectName: string;
};

/** A session as it is stored, but for its state. */
type SealedSession = Omit<LinkSession, "state">;

/** Links a driver's platform account: credentials, then a one-time code or an approval on the driver's device. */
export class LinkFlow {
  readonly #deps: Deps;
  readonly #store: Store;
  readonly #machine: Machine;
  readonly #account: PlatformAccount;
  readonly #loop: EventLoop;
  readonly #objectName: string;
  #queue: Promise<unknown> = Promise.resolve();

  constructor({ deps, store, machine, account, loop, objectName }: LinkFlowDeps) {
    this.#objectName = objectName;
    this.#deps = deps;
    this.#store = store;
    this.#machine = machine;
    this.#account = account;
    this.#loop = loop;
  }

  /** Starts over with credentials. The password is sent to the platform and never stored. */
  login({ email, password }: { email: string; password: string }): Promise<LinkResult> {
    // The driver is asked to approve it by this name.
    const device = { id: deviceId(this.#owner()), name: this.#deps.config.productName };
    return this.#enqueue(async () => {
      const outcome = await this.#request(() =>
        this.#deps.platform.createSession({ email, password, device }),
      );
      if (outcome.kind !== "session") return this.#toError(outcome);
      return this.#applySession(outcome.session, await this.#seal(email, outcome.session));
    });
  }

  submitCode(code: string): Promise<LinkResult> {
    return this.#enqueue(() => this.#submitCode(code));
  }

  resendCode(): Promise<LinkResult> {
    return this.#enqueue(() => this.#resendCode());
  }

  /** The platform's account that is being linked; null if none is. */
  linkingEmail(): string | null {
    return this.#store.state.linkSession()?.email ?? null;
  }

  /** The present step. While a session is open it is fetched from the platform, since the driver may have approved it there. */
  fetchStatus(): Promise<LinkResult> {
    return this.#enqueue(() => this.#fetchStatus());
  }

  /** Waits for the steps that have begun: their answers may bring tokens. */
  async settle(): Promise<void> {
    await this.#queue.catch(() => {});
  }

  /** Runs steps one after the other: the platform returns the tokens only once, and two devices may ask concurrently. */
  #enqueue(task: () => Promise<LinkResult>): Promise<LinkResult> {
    const result = this.#queue.then(task, task);
    this.#queue = result;
    return result;
  }

  async #submitCode(code: string): Promise<LinkResult> {
    const linking = this.#store.state.linkSession();
    if (!linking) return EXPIRED;
    const sessionId = await this.#openSessionId(linking);
    if (sessionId === null) return this.#expire();
    return this.#goOn(
      linking.email,
      await this.#request(() => this.#deps.platform.answerOtp({ sessionId, code })),
    );
  }

  async #resendCode(): Promise<LinkResult> {
    const linking = this.#store.state.linkSession();
    if (!linking) return EXPIRED;
    const sessionId = await this.#openSessionId(linking);
    if (sessionId === null) return this.#expire();
    const outcome = await this.#account.requestWithoutToken(() =>
      this.#deps.platform.resendOtp({ sessionId }),
    );
    // A refusal says that this code was sent a moment ago: it is not about other calls, which don't wait for it.
    if (outcome.kind !== "rate_limited") this.#loop.noteRefusal(outcome);
    if (outcome.kind === "sent") return { ok: true, response: toSetupResponse(linking) };
    return this.#toError(outcome);
  }

  async #fetchStatus(): Promise<LinkResult> {
    const linking = this.#store.state.linkSession();
    const isLinked = this.#machine.state.link.status === "linked";
    if (!linking) return { ok: true, response: { step: isLinked ? "linked" : "credentials" } };
    if (linking.state === "approved") this.#keepApart(linking);
    if (linking.state === "approved" || linking.state === "unclaimed") return this.#finish(linking.email);
    const sessionId = await this.#openSessionId(linking);
    if (sessionId === null) return this.#expire();
    // While the platform asks us to wait, the last known step stands.
    if (this.#account.waitsUntil() !== null) return { ok: true, response: toSetupResponse(linking) };
    return this.#goOn(
      linking.email,
      await this.#request(() => this.#deps.platform.readSession({ sessionId })),
    );
  }

  /** Null if the session was sealed with a key that is no longer configured. */
  #openSessionId({ sealedSessionId }: LinkSession): Promise<string | null> {
    const context = this.#owner().driverId;
    return this.#deps.keys.open("tokens", { sealed: sealedSessionId, context });
  }

  #expire(): LinkResult {
    this.#setSession(null);
    return EXPIRED;
  }

  /** Whether the driver has unlinked, or left, since a step of the session began. */
  #isAbandoned(): boolean {
    return this.#store.state.linkSession() === null;
  }

  /** Goes on with an open session, unless it was abandoned: then tokens that came all the same are ended like a link's. */
  async #goOn(email: string, outcome: SessionResult): Promise<LinkResult> {
    if (outcome.kind !== "session") return this.#isAbandoned() ? EXPIRED : this.#toError(outcome);
    const sealed = await this.#seal(email, outcome.session);
    if (!this.#isAbandoned()) return this.#applySession(outcome.session, sealed);
    this.#endTokens(sealed);
    return EXPIRED;
  }

  /** A former release put the tokens of an approved session into use at once. */
  #keepApart(linking: LinkSession): void {
    const { state } = this.#store;
    state.write("linkSession", { ...linking, state: "unclaimed", sealedTokens: state.sealedTokens() });
  }

  /** Goes on with another session, or with none. The tokens of the present one are ended like a link's. */
  #setSession(next: LinkSession | null): void {
    const { state } = this.#store;
    this.#endTokens(state.linkSession());
    state.write("linkSession", next);
  }

  #endTokens(left: Pick<SealedSession, "sealedTokens"> | null): void {
    const sealedTokens = left?.sealedTokens ?? null;
    if (sealedTokens !== null)
      this.#store.outbox.add({ kind: "session_end", sealedTokens }, this.#deps.now());
  }

  /**
   * Ends the link's session where another account takes its place. The same account keeps its device, which the end of a
   * session might unlink.
   */
  #endFormerLink(accountId: string): void {
    const { state } = this.#store;
    const former = state.platformAccount();
    const isOther =
      former !== null && former !== accountId && isNamedByEmail(former) === isNamedByEmail(accountId);
    if (isOther) this.#endTokens({ sealedTokens: state.sealedTokens() });
  }

  #applySession({ state }: PlatformSession, sealed: SealedSession): LinkResult | Promise<LinkResult> {
    switch (state) {
      case "denied":
        this.#setSession(null);
        return { ok: false, error: { code: "link_denied" } };
      case "expired":
        return this.#expire();
      case "active":
        if (sealed.sealedTokens === null) return this.#expire();
        // Kept until the account is claimed: the platform doesn't return the tokens again. Until then the present link works.
        this.#setSession({ ...sealed, state: "unclaimed" });
        return this.#finish(sealed.email);
      case "otp_required":
      case "approval_required": {
        const linking = { ...sealed, state };
        this.#setSession(linking);
        return { ok: true, response: toSetupResponse(linking) };
      }
    }
  }

  async #seal(email: string, session: PlatformSession): Promise<SealedSession> {
    const context = this.#owner().driverId;
    return {
      sealedSessionId: await this.#deps.keys.seal("tokens", { plain: session.sessionId, context }),
      sealedTokens: (session.tokens && (await this.#account.tokens()?.seal(session.tokens))) ?? null,
      email,
      channel: session.otp?.channel ?? null,
      destination: session.otp?.destination ?? null,
      expiresAt: session.expiresAt,
    };
  }

  async #finish(email: string): Promise<LinkResult> {
    const { platform, now } = this.#deps;
    const driver = await this.#requestUnclaimed((accessToken) => platform.readDriver({ accessToken }));
    const listed = await this.#requestUnclaimed((accessToken) => platform.listWarehouses({ accessToken }));
    for (const result of [driver, listed]) {
      if (result.kind === "driver" || result.kind === "warehouses") continue;
      return result.kind === "signed_out" ? this.#expire() : this.#toError(result);
    }
    if (driver.kind !== "driver" || listed.kind !== "warehouses") return UNREACHABLE;
    const { driverId: platformDriverId, region, timeZone } = driver.driver;
    const accountId = platformDriverId ?? `${EMAIL_PREFIX}${email.toLowerCase()}`;
    if (this.#isAbandoned()) return EXPIRED;
    const refusal = await this.#claim(accountId);
    if (refusal) return refusal;
    const sealedTokens = this.#store.state.linkSession()?.sealedTokens ?? null;
    if (sealedTokens === null) return EXPIRED;
    this.#endFormerLink(accountId);
    this.#account.tokens()?.adopt(sealedTokens);
    this.#store.state.write("platformAccount", accountId);
    this.#store.state.write("linkSession", null);
    this.#store.state.write("warehousesReadAt", now());
    const change = {
      proxyInstalled: true,
      flexEmail: email,
      ...(region && { humanRegion: region.name }),
      ...(timeZone !== null && { humanTimezone: timeZone }),
    };
    this.#store.outbox.add({ kind: "record_changed", change }, now());
    this.#loop.dispatch({ kind: "linked", warehouses: listed.warehouses });
    return { ok: true, response: { step: "linked" }, linkedEmail: email };
  }

  /**
   * Claims the platform's account for this driver. Two drivers on one account would take each other's blocks for their own: the
   * second link is refused, unless the first driver's object says that it has lost the account.
   */
  async #claim(accountId: string): Promise<LinkResult | null> {
    const { db, now, driver, log } = this.#deps;
    const { driverId } = this.#owner();
    const claim = { accountId, driverId, objectName: this.#objectName, linkedAt: now() };
    try {
      const standing = await claimPlatformAccount(db, claim);
      if (standing.driverId === driverId) return null;
      if (!(await driver(standing.driverId).holdsPlatformAccount(accountId))) {
        await takePlatformAccount(db, claim);
        return null;
      }
    } catch (error) {
      log("warn", "link.claim.failed", { driverId, ...describeError(error) });
      // The failure is ours. The tokens are kept, and the next look claims again.
      return { ok: false, error: { code: "internal" } };
    }
    log("info", "link.claim.refused", { driverId });
    this.#setSession(null);
    return { ok: false, error: { code: "link_account_taken" } };
  }

  /** A call with the tokens of the session in progress. It waits for the same rate limit as every other call. */
  async #requestUnclaimed<Result extends { kind: string; retryAt?: unknown }>(
    call: (accessToken: string) => Promise<Result>,
  ) {
    const result = await this.#account.requestUnclaimed(call);
    this.#loop.noteRefusal(result);
    return result;
  }

  /** A call without a token. It waits likewise. */
  async #request<Result extends { kind: string; retryAt?: unknown }>(
    call: () => Promise<Result>,
  ): Promise<Result | { kind: "rate_limited"; retryAt: EpochMs }> {
    const result = await this.#account.requestWithoutToken(call);
    this.#loop.noteRefusal(result);
    return result;
  }

  /** A page that the driver may open: over https, or where the platform itself is, as in development. Else null. */
  #openable(url: string | null): string | null {
    const page = url === null ? null : URL.parse(url);
    const isSafe =
      page !== null &&
      (page.protocol === "https:" || page.origin === URL.parse(this.#deps.config.platform.url)?.origin);
    return isSafe ? page.href : null;
  }

  #owner(): DriverOwner {
    const { owner } = this.#machine;
    if (!owner) throw new Error("linking started before the object has an owner");
    return owner;
  }

  #toError(outcome: Exclude<SessionResult, { kind: "session" }> | PlatformFailure): LinkResult {
    switch (outcome.kind) {
      case "invalid_credentials":
        return { ok: false, error: { code: "link_credentials_wrong" } };
      case "account_locked":
        return { ok: false, error: { code: "link_locked", retryAt: outcome.lockedUntil ?? null } };
      case "otp_invalid":
        return { ok: false, error: { code: "link_code_wrong", attemptsLeft: outcome.attemptsLeft } };
      case "approval_denied":
        this.#setSession(null);
        return { ok: false, error: { code: "link_denied" } };
      case "otp_expired":
        return { ok: false, error: { code: "link_code_expired" } };
      case "session_not_found":
        return this.#expire();
      case "rate_limited":
        return { ok: false, error: { code: "rate_limited", retryAt: outcome.retryAt } };
      case "refused":
        return { ok: false, error: { code: "platform_refused" } };
      case "verification_required":
        return { ok: false, error: { code: outcome.kind, url: this.#openable(outcome.url) } };
      default:
        return UNREACHABLE;
    }
  }
}

const EXPIRED: LinkResult = { ok: false, error: { code: "link_expired" } };
const UNREACHABLE: LinkResult = { ok: false, error: { code: "platform_unreachable" } };

function toSetupResponse(linking: LinkSession): SetupResponse {
  if (linking.state !== "otp_required") return { step: "approval", expiresAt: linking.expiresAt };
  return {
    step: "otp",
    channel: linking.channel ?? "other",
    destination: linking.destination ?? "",
    expiresAt: linking.expiresAt,
  };
}

/** Names an account of which the platform doesn't say whose it is. */
const EMAIL_PREFIX = "email:";

/** An id and an e-mail address may name the same account. */
function isNamedByEmail(accountId: string): boolean {
  return accountId.startsWith(EMAIL_PREFIX);
}

/** One device id per driver, so that linking again replaces the device on the platform instead of adding one. */
function deviceId(owner: DriverOwner): string {
  return `jornada-${owner.driverId}`.slice(0, 64);
}
