import { Temporal } from "temporal-polyfill";
import type { Chance } from "../chance.ts";
import {
  operationOf,
  problem,
  problemBody,
  selfie,
  json,
  isProblem,
  toOfferJson,
  toBlockJson,
  toEarningsJson,
  toWarehouseJson,
} from "./answers.ts";
import { QuotaMeter, type QuotaRule } from "./quota.ts";
import type {
  Account,
  Answer,
  PlatformBlock,
  PlatformLogEntry,
  PlatformOffer,
  PlatformRequest,
  PlatformWarehouse,
} from "./model.ts";

const GRACE_MS = 60_000;
const KEY_LIFE_MS = 24 * 3_600_000;

type PlatformDeps = {
  now: () => number;
  chance: Chance;
  quota: QuotaRule;
  refusesOverlaps: boolean;
  weeklyLimit: number | null;
  accessTokenSeconds: number;
  warehouses: PlatformWarehouse[];
};

/** A delivery platform that keeps the contract, written from the contract alone. Its log is the judge. */
export class SimulatedPlatform {
  readonly log: PlatformLogEntry[] = [];
  readonly accounts = new Map<string, Account>();
  readonly offers = new Map<string, PlatformOffer>();
  readonly warehouses: PlatformWarehouse[];
  readonly quota: QuotaMeter;
  /** Whether the next accept finds its token dead, and the refresh after it is answered 400. */
  tokenDies = false;
  /** The calls that are refused for a selfie of which the driver's state says nothing. */
  disputes: "polls" | "accepts" | null = null;
  #refusesRefresh = false;
  readonly #deps: PlatformDeps;
  readonly #sessions = new Map<string, { email: string; state: string; tokensGiven: boolean }>();
  #ids = 0;
  #version = 0;
  #accepts: { email: string; at: number }[] = [];

  constructor(deps: PlatformDeps) {
    this.#deps = deps;
    this.warehouses = deps.warehouses;
    this.quota = new QuotaMeter(deps.quota);
  }

  account(email: string): Account {
    let account = this.accounts.get(email);
    if (!account) {
      account = {
        email,
        driverId: this.#id("drv"),
        access: new Set(),
        accessUntil: new Map(),
        accessIssuedAt: new Map(),
        refresh: null,
        previousRefresh: null,
        blocks: [],
        answers: new Map(),
        needsSelfie: false,
        endings: [],
      };
      this.accounts.set(email, account);
    }
    return account;
  }

  /** Something about the offers changed. */
  touch(): void {
    this.#version += 1;
  }

  /** The driver approves the device of their latest session. */
  approve(email: string): void {
    for (const session of this.#sessions.values()) {
      if (session.email === email && session.state === "approval_required") session.state = "active";
    }
  }

  /** A block that the driver takes in the platform's own app. */
  takeByHand(email: string, offer: PlatformOffer, status: string): PlatformBlock {
    const block = this.#createBlock(offer, { status, isByHand: true });
    this.account(email).blocks.push(block);
    this.touch();
    return block;
  }

  /** Answers a request that has arrived. */
  handle(request: PlatformRequest): Answer {
    const entry: PlatformLogEntry = {
      at: this.#deps.now(),
      operation: "unknown",
      email: null,
      status: 0,
      code: null,
      offerId: null,
      key: request.key,
      effect: null,
    };
    const answer = this.#route(request, entry);
    entry.status = answer.status;
    if (isProblem(answer.body)) entry.code = answer.body.code;
    this.log.push(entry);
    return answer;
  }

  #route(request: PlatformRequest, entry: PlatformLogEntry): Answer {
    const { method, path } = request;
    if (path === "/v1/sessions" && method === "POST") return this.#createSession(request, entry);
    if (path === "/v1/token") return this.#refresh(request, entry);
    const [, sessionId, action] = /^\/v1\/sessions\/([^/]+)(\/otp)?$/.exec(path) ?? [];
    if (sessionId && sessionId !== "current") return this.#session(sessionId, action, entry);
    if (this.tokenDies && operationOf(path) === "accept") this.#killToken(request.token);
    const account = this.#authenticate(request.token);
    if (!account) {
      entry.operation = operationOf(path);
      return problem(401, "invalid_token");
    }
    entry.email = account.email;
    entry.operation = operationOf(path);
    switch (entry.operation) {
      case "end session":
        account.access.clear();
        account.refresh = null;
        account.previousRefresh = null;
        account.endings.push(this.#deps.now());
        return { status: 204, body: null };
      case "driver":
        return json({
          driverId: account.driverId,
          region: { id: "nyc", name: "New York City" },
          timeZone: "America/New_York",
          currency: "USD",
          verification: account.needsSelfie
            ? { required: true, url: "http://platform.localhost/selfie" }
            : { required: false },
        });
      case "warehouses":
        return json({ warehouses: this.warehouses.map(toWarehouseJson) });
      case "offers":
        return this.#listOffers(account, request);
      case "accept":
        return this.#accept(account, request, entry);
      case "blocks":
        return this.#listBlocks(account, request);
      case "earnings":
        return json(toEarningsJson(account.blocks));
      case "check in":
        return this.#checkIn(account, request);
      default:
        return problem(404, "invalid_request");
    }
  }

  #checkIn({ blocks }: Account, { path }: PlatformRequest): Answer {
    const blockId = decodeURIComponent(path.split("/")[3] ?? "");
    const block = blocks.find((own) => own.blockId === blockId && own.givenBackAt === null);
    if (!block) return problem(404, "block_not_found");
    if (block.status === "checked_in") return problem(409, "already_checked_in");
    block.status = "checked_in";
    return json(toBlockJson(block));
  }

  #createSession({ body }: PlatformRequest, entry: PlatformLogEntry): Answer {
    entry.operation = "create session";
    const email = String(body["email"]);
    entry.email = email;
    this.account(email);
    const sessionId = this.#id("ses");
    this.#sessions.set(sessionId, { email, state: "otp_required", tokensGiven: false });
    return { ...this.#sessionJson(sessionId), status: 201 };
  }

  #session(sessionId: string, action: string | undefined, entry: PlatformLogEntry): Answer {
    entry.operation = action ? "answer otp" : "read session";
    const session = this.#sessions.get(sessionId);
    if (!session) return problem(404, "session_not_found");
    entry.email = session.email;
    if (action && session.state === "otp_required") session.state = "approval_required";
    return this.#sessionJson(sessionId);
  }

  #sessionJson(sessionId: string): Answer {
    const session = this.#sessions.get(sessionId);
    if (!session) return problem(404, "session_not_found");
    const { email, state, tokensGiven } = session;
    const expiresAt = new Date(this.#deps.now() + 600_000).toISOString();
    const otp = state === "otp_required" ? { otp: { channel: "sms", destination: "*** *** 4821" } } : {};
    if (state !== "active" || tokensGiven) return json({ sessionId, state, expiresAt, ...otp });
    session.tokensGiven = true;
    return json({ sessionId, state, expiresAt, tokens: this.#issue(this.account(email)) });
  }

  #issue(account: Account): Record<string, unknown> {
    const accessToken = this.#id("acc");
    const refreshToken = this.#id("ref");
    account.access.add(accessToken);
    account.accessUntil.set(accessToken, this.#deps.now() + this.#deps.accessTokenSeconds * 1000);
    account.accessIssuedAt.set(accessToken, this.#deps.now());
    account.refresh = refreshToken;
    return { accessToken, refreshToken, expiresIn: this.#deps.accessTokenSeconds };
  }

  #refresh({ body }: PlatformRequest, entry: PlatformLogEntry): Answer {
    entry.operation = "refresh";
    const now = this.#deps.now();
    const token = String(body["refreshToken"]);
    if (this.#refusesRefresh) {
      this.#refusesRefresh = false;
      return problem(400, "invalid_request");
    }
    for (const account of this.accounts.values()) {
      const { previousRefresh } = account;
      if (account.refresh === token) {
        entry.email = account.email;
        const pair = this.#issue(account);
        account.previousRefresh = { token, until: now + GRACE_MS, pair };
        return json(pair);
      }
      if (previousRefresh?.token === token && now <= previousRefresh.until) {
        entry.email = account.email;
        // The same pair, once.
        account.previousRefresh = { ...previousRefresh, until: -Infinity };
        return json(previousRefresh.pair);
      }
      if (previousRefresh?.token === token) account.endings.push(now);
    }
    return problem(401, "invalid_grant");
  }

  #killToken(token: string | null): void {
    this.tokenDies = false;
    this.#refusesRefresh = true;
    for (const { access } of this.accounts.values()) access.delete(token ?? "");
  }

  #authenticate(token: string | null): Account | null {
    if (token === null) return null;
    for (const account of this.accounts.values()) {
      const until = account.accessUntil.get(token) ?? 0;
      if (account.access.has(token) && until > this.#deps.now()) return account;
    }
    return null;
  }

  #listOffers(account: Account, { query, etag }: PlatformRequest): Answer {
    const now = this.#deps.now();
    const { isRefused, retrySeconds, headers } = this.quota.use(now);
    if (isRefused)
      return { ...problem(429, "rate_limited"), headers: { "retry-after": String(retrySeconds) } };
    if (account.needsSelfie || this.disputes === "polls") return selfie();
    const wanted = query.get("warehouseIds")?.split(",") ?? null;
    const open = [...this.offers.values()].filter(
      ({ isListed, expiresAt, warehouseId }) =>
        isListed && expiresAt > now && (wanted === null || wanted.includes(warehouseId)),
    );
    const present = `"${this.#version}-${open.length}-${wanted?.length ?? 0}"`;
    if (etag === present) return { status: 304, body: null, headers: { ...headers, etag: present } };
    return { ...json({ offers: open.map(toOfferJson) }), headers: { ...headers, etag: present } };
  }

  #accept(account: Account, { path, key, body }: PlatformRequest, entry: PlatformLogEntry): Answer {
    const now = this.#deps.now();
    const offerId = decodeURIComponent(path.split("/")[3] ?? "");
    entry.offerId = offerId;
    if (key === null || key.length < 8) return problem(400, "invalid_request");
    const known = account.answers.get(key);
    if (known && now - known.at < KEY_LIFE_MS) return known.answer;
    const answer = this.#decide(account, { offerId, payAtLeast: Number(body["payAtLeast"]) }, entry);
    if (answer.status !== 403 && answer.status !== 429) account.answers.set(key, { at: now, answer });
    return answer;
  }

  #decide(
    account: Account,
    { offerId, payAtLeast }: { offerId: string; payAtLeast: number },
    entry: PlatformLogEntry,
  ): Answer {
    const now = this.#deps.now();
    if (account.needsSelfie || this.disputes === "accepts") return selfie();
    const mine = account.blocks.find((block) => block.offerId === offerId && block.givenBackAt === null);
    if (mine)
      return { status: 409, body: { ...problemBody(409, "already_yours"), block: toBlockJson(mine) } };
    const offer = this.offers.get(offerId);
    if (!offer || !offer.isListed || offer.expiresAt <= now) return problem(409, "offer_gone");
    if (offer.payCents < payAtLeast) return problem(409, "pay_changed");
    const held = account.blocks.filter(({ givenBackAt }) => givenBackAt === null);
    if (
      this.#deps.refusesOverlaps &&
      held.some((block) => block.startsAt < offer.endsAt && offer.startsAt < block.endsAt)
    ) {
      return problem(409, "overlap");
    }
    const { weeklyLimit } = this.#deps;
    const ofWeek = held.filter((block) => this.#weekOf(block) === this.#weekOf(offer));
    if (weeklyLimit !== null && ofWeek.length >= weeklyLimit) return problem(409, "weekly_limit");
    offer.isListed = false;
    this.touch();
    const block = this.#createBlock(offer, { status: "scheduled", isByHand: false });
    account.blocks.push(block);
    this.#accepts.push({ email: account.email, at: now });
    entry.effect = block;
    return json(toBlockJson(block));
  }

  /** Whether the week of an offer was full for any account within a span. */
  isWeekFull(offer: PlatformOffer, { from, to }: { from: number; to: number }): boolean {
    const { weeklyLimit } = this.#deps;
    if (weeklyLimit === null) return false;
    return [...this.accounts.values()].some(({ blocks }) => {
      const ofWeek = blocks.filter(
        ({ acceptedAt, givenBackAt, ...block }) =>
          acceptedAt <= to &&
          (givenBackAt ?? Infinity) >= from &&
          this.#weekOf(block) === this.#weekOf(offer),
      );
      return ofWeek.length >= weeklyLimit;
    });
  }

  /** The Monday of the week in which work starts, at its warehouse. */
  #weekOf({ startsAt, warehouseId }: Pick<PlatformOffer, "startsAt" | "warehouseId">): string {
    const zone = this.warehouses.find((known) => known.warehouseId === warehouseId)?.timeZone ?? "UTC";
    const day = Temporal.Instant.fromEpochMilliseconds(startsAt).toZonedDateTimeISO(zone).toPlainDate();
    return day.subtract({ days: day.dayOfWeek - 1 }).toString();
  }

  #listBlocks(account: Account, { query }: PlatformRequest): Answer {
    const from = Date.parse(query.get("from") ?? "");
    const to = Date.parse(query.get("to") ?? "");
    const blocks = account.blocks
      .filter(({ startsAt, isGone }) => !isGone && from <= startsAt && startsAt < to)
      .toSorted((one, other) => one.startsAt - other.startsAt);
    return json({ blocks: blocks.map(toBlockJson) });
  }

  #createBlock(
    offer: PlatformOffer,
    { status, isByHand }: { status: string; isByHand: boolean },
  ): PlatformBlock {
    const { isListed: _isListed, expiresAt: _expiresAt, ...rest } = offer;
    const acceptedAt = this.#deps.now();
    return {
      ...rest,
      blockId: this.#id("blk"),
      status,
      acceptedAt,
      isByHand,
      givenBackAt: null,
      isGone: false,
    };
  }

  #id(prefix: string): string {
    this.#ids += 1;
    return `${prefix}_${this.#ids}_${Math.floor(this.#deps.chance.roll() * 1e9).toString(36)}`;
  }
}
