import type { Db } from "../../db/client.ts";
import { raiseAlert } from "../../db/queries/fleet/alerts.ts";
import { loadTextDelivery, resumeTexts } from "../../db/queries/texts/delivery.ts";
import {
  countCode,
  countText,
  uncountText,
  type CodeStore,
  type TextLimit,
} from "../../db/queries/texts/limits.ts";
import type { TextDelivery } from "../../db/shapes/text-delivery.ts";
import { DAY_MS, type EpochMs } from "../../db/shapes/units.ts";
import { errorName } from "../runtime/describe-error.ts";
import type { Afterwards } from "../runtime/afterwards.ts";
import type { Log } from "../runtime/log.ts";
import { createDelivery, type PreparedText } from "./delivery.ts";
import { areaOf, isTextable } from "./phone-numbers.ts";
import {
  CEILING_PREFIX,
  codeLimits,
  invitationLimits,
  isNetworkKey,
  isShared,
  countedKeys,
  toLimits,
  type CodeRequest,
  type HourAndDay,
  type TextLimits,
} from "./text-limits.ts";
import { mayHaveArrived, type Sms, type SmsFailure, type SmsResult } from "../messaging/sms.ts";

/**
 * `refused`: because the `number` gets no texts, because its owner `stopped` them, because a `limit` of the number, the
 * account or the caller's network is reached, or because a `ceiling` is: of the deployment, of the caller's /48, or of the
 * provider's network. A caller who solves a challenge may ask again after the latter.
 */
type Refusal = { kind: "refused"; reason: "number" | "stopped" | "limit" | "ceiling" };

/** A text that was counted. */
type Admitted = {
  kind: "admitted";
  /** Sends the text, once. Never throws. */
  send(body: string): Promise<CodeOutcome>;
};

/** A code that was stored, by its hash, and its text. */
export type CodeAdmission = (Admitted & { hash: string }) | Refusal;

export type InvitationAdmission =
  | (Admitted & {
      /** Takes back what was counted, since nothing will be sent. */
      cancel(): Promise<void>;
    })
  | Refusal;

/** `failed`: the gateway didn't send it, or with `mayArrive` nobody knows whether it did. */
export type CodeOutcome =
  | { kind: "sent" }
  | { kind: "failed"; reason: SmsFailure | "no_gateway"; mayArrive: boolean };

/**
 * A text to a driver, and whose account it is about. `id`: under which the gateway shall report of it, a new one if left
 * out. `about`: the service change that it tells of, where somebody asks whether it arrived.
 */
export type DriverText = {
  to: string;
  body: string;
  account: string;
  id?: string;
  about?: string | null;
  /** Whether it says what only the driver can do: counted by itself, so that neither kind takes the place of the other. */
  isUrgent?: boolean;
  /** Called just before the text leaves for the gateway. */
  onLeave?: () => void;
};

/**
 * The outcome of a text to a driver. `held`: it was not sent, since its number is paused or `stopped` or in a `country`
 * that texts don't go to, or since a `ceiling` is reached.
 */
export type TextResult = SmsResult | { kind: "held"; reason: "paused" | "stopped" | "ceiling" | "country" };

/**
 * `sent`: the gateway took it, which ends a pause. `limit`: too many tests. `failed`: it was not sent, since a ceiling is
 * reached, no texts go to the number's country, or the gateway refused it; or nobody knows whether it was.
 */
export type TestResult = "sent" | "stopped" | "limit" | "failed";

/** The one way to a text message. All senders pass the checks and counts here. */
export type TextDoor = {
  /**
   * Stores a code and counts its text against every limit that it falls under, or refuses it, with `limit` too if the code
   * wasn't stored.
   */
  admitCode(request: CodeRequest, store: CodeStore): Promise<CodeAdmission>;
  /** The same for an invitation to a number that did not ask for it, under a ceiling of its own; its text is stored at once. */
  admitInvitation(request: Pick<CodeRequest, "to" | "address">): Promise<InvitationAdmission>;
  /** Warns the owner of an account: once a day at most, and not above a ceiling of its own. Never throws. */
  sendWarning(warning: { to: string; account: string; body: string }): Promise<void>;
  /**
   * Sends a driver what they asked to hear of. Never throws; attacks on codes can't stop it. Nothing goes to a number
   * that is paused or stopped.
   */
  sendText(text: DriverText): Promise<TextResult>;
  /**
   * Tells the owner of an account what happened to it. Like `sendText`, but tries a paused number too, under a ceiling
   * of its own.
   */
  sendNotice(text: DriverText): Promise<TextResult>;
  /** Sends a test that a driver asked for. One that the gateway takes ends the pause. */
  sendTest(text: DriverText): Promise<TestResult>;
  /** Whether an answer to a text from this number may be sent: it is counted, so that two machines don't talk for ever. */
  admitReply(to: string): Promise<boolean>;
};

/** Warnings of the whole deployment. An attacker of many accounts gets no more texts than these. */
const WARNINGS: HourAndDay = { perHour: 100, perDay: 500 };
/** Notices of the whole deployment. A stop of captures still lets drivers hear that their account was changed. */
const NOTICES: HourAndDay = { perHour: 500, perDay: 5000 };
/** Tests that one driver asks for. */
const TESTS: HourAndDay = { perHour: 3, perDay: 6 };
/** Answers to texts from one number, and from all. */
const REPLIES: HourAndDay = { perHour: 3, perDay: 6 };
const ALL_REPLIES: HourAndDay = { perHour: 200, perDay: 1000 };

/** The reason for holding back a text to a driver. */
type HoldPolicy = { triesPaused: boolean; ceiling: readonly TextLimit[] };

/** @param deps.sms null if no gateway is configured */
export function createTextDoor({
  sms,
  db,
  now,
  log,
  countries,
  limits,
  publicUrl,
  afterwards,
}: {
  sms: Sms | null;
  db: Db;
  now: () => EpochMs;
  log: Log;
  countries: readonly string[];
  limits: TextLimits;
  /** Where the gateway's reports arrive. */
  publicUrl: string;
  /** Does what a request needn't wait for; left out, it is done first. */
  afterwards?: Afterwards | undefined;
}): TextDoor {
  const deliver = sms && createDelivery({ sms, db, now, log, publicUrl, afterwards });

  /** Null if the text may be sent; it is counted then. */
  async function refusalOf(
    to: string,
    asked: readonly TextLimit[],
    known?: TextDelivery,
  ): Promise<Refusal | null> {
    return (await askFor(to, asked, known)).refused;
  }

  /** The same, with whether texts reach the number. */
  async function askFor(
    to: string,
    asked: readonly TextLimit[],
    known?: TextDelivery,
  ): Promise<{ refused: Refusal | null; status: TextDelivery["status"] | null }> {
    if (!isTextable(to, countries)) return { refused: refuse(to, "number"), status: null };
    const at = now();
    // In one trip: a number whose owner stopped its texts is rare, and what was counted for it is taken back.
    const [{ status }, reached] = await Promise.all([
      known ?? loadTextDelivery(db, to, at),
      known?.status === "stopped" ? [] : countText(db, asked, at),
    ]);
    if (status !== "stopped") return { refused: await refusalBy(reached, to, at), status };
    if (known === undefined && reached.length === 0) await uncountText(db, countedKeys(asked));
    return { refused: refuse(to, "stopped"), status };
  }

  function refuse(to: string, reason: "number" | "stopped"): Refusal {
    if (reason === "number") log("warn", "texts.refused", { limits: ["country"], area: areaOf(to) });
    else log("info", "texts.refused", { limits: ["stopped"], area: areaOf(to) });
    return { kind: "refused", reason };
  }

  async function limitOf(to: string, asked: readonly TextLimit[]): Promise<Refusal | null> {
    const at = now();
    return refusalBy(await countText(db, asked, at), to, at);
  }

  async function refusalBy(reached: readonly TextLimit[], to: string, at: EpochMs): Promise<Refusal | null> {
    if (reached.length === 0) return null;
    const ceiling = reached.find(({ key }) => key.startsWith(CEILING_PREFIX));
    if (ceiling) await reportCeiling(ceiling, at);
    // The limits, without their number or address.
    log("warn", "texts.refused", {
      limits: reached.map(({ key }) => key.split(" ")[0] ?? ""),
      area: areaOf(to),
    });
    return { kind: "refused", reason: reached.some(isShared) ? "ceiling" : "limit" };
  }

  async function reportCeiling({ key, most, windowMs }: TextLimit, at: EpochMs): Promise<void> {
    const [, name = "", window = ""] = key.split(" ");
    const alert = { name: `texts.${name}`, reason: `ceiling_by_${window}`, since: at, until: at + windowMs };
    if (await raiseAlert(db, alert))
      log("error", "texts.ceiling.reached", { ceiling: name, by: window, most });
  }

  async function admitCode(request: CodeRequest, store: CodeStore): Promise<CodeAdmission> {
    const { to, account, isDecoy } = request;
    if (!isTextable(to, countries)) return refuse(to, "number");
    const asked = codeLimits(limits, request);
    const at = now();
    const id = crypto.randomUUID();
    const text = deliver && !isDecoy ? { id, phoneNumber: to, account, about: null, sentAt: at } : null;
    const { isStopped, reached, hash } = await countCode(db, { to, limits: asked, text, now: at }, store);
    if (isStopped) return refuse(to, "stopped");
    const refused = await refusalBy(reached, to, at);
    if (refused) return refused;
    if (hash === null) return { kind: "refused", reason: "limit" };
    return { kind: "admitted", hash, send: sendCounted(asked, deliver && deliver.stored({ to, id })) };
  }

  /** The text is stored in the trip that counts it; of one that is refused nothing stays. */
  async function admitInvitation(to: string, asked: readonly TextLimit[]): Promise<InvitationAdmission> {
    const [refused, prepared] = await Promise.all([
      refusalOf(to, asked),
      deliver && isTextable(to, countries) ? deliver.prepare({ to, account: null }) : null,
    ]);
    if (refused) {
      await prepared?.cancel();
      return refused;
    }
    return {
      kind: "admitted",
      async cancel() {
        await Promise.all([uncountText(db, countedKeys(asked)), prepared?.cancel()]);
      },
      send: sendCounted(asked, prepared),
    };
  }

  function sendCounted(
    asked: readonly TextLimit[],
    prepared: Pick<PreparedText, "send"> | null,
  ): Admitted["send"] {
    return async (body) => {
      const result = await prepared?.send({ body });
      if (result?.kind === "sent") return { kind: "sent" };
      const reason = result?.reason ?? "no_gateway";
      if (reason === "no_gateway") log("error", "texts.gateway.failed", { reason });
      const mayArrive = reason !== "no_gateway" && mayHaveArrived(reason);
      // A try without a text doesn't count, so that the next try isn't refused; the network's tries do.
      const refunded = countedKeys(asked).filter((key) => !isNetworkKey(key));
      if (!mayArrive) await uncountText(db, refunded);
      return { kind: "failed", reason, mayArrive };
    };
  }

  async function sendToDriver(text: DriverText, policy: HoldPolicy): Promise<TextResult> {
    if (!deliver) return { kind: "failed", reason: "request", retryable: false };
    try {
      const held = await holdReason(text.to, policy);
      if (held !== null) return { kind: "held", reason: held };
    } catch (error) {
      // A capture is texted even while nothing can be counted.
      log("warn", "texts.count.failed", { error: errorName(error) });
    }
    return (await deliver.prepare(text)).send(text);
  }

  async function holdReason(
    to: string,
    { triesPaused, ceiling }: HoldPolicy,
  ): Promise<Extract<TextResult, { kind: "held" }>["reason"] | null> {
    const delivery = await loadTextDelivery(db, to, now());
    if (delivery.status === "paused" && !triesPaused) return "paused";
    const refused = await refusalOf(to, ceiling, delivery);
    if (refused === null) return null;
    if (refused.reason === "number") return "country";
    return refused.reason === "stopped" ? "stopped" : "ceiling";
  }

  return {
    admitCode,

    admitInvitation: (request) => admitInvitation(request.to, invitationLimits(limits, request)),

    async sendWarning({ to, account, body }) {
      if (!deliver) return;
      const once = { key: `warning ${account} day`, most: 1, windowMs: DAY_MS, counts: true };
      try {
        if (await refusalOf(to, [once, ...toLimits(`${CEILING_PREFIX}warnings`, WARNINGS)])) return;
        await (await deliver.prepare({ to, account })).send({ body });
      } catch (error) {
        log("warn", "texts.warning.failed", { error: errorName(error) });
      }
    },

    sendText: (text) =>
      sendToDriver(text, {
        triesPaused: false,
        ceiling: toLimits(
          `${CEILING_PREFIX}${text.isUrgent ? "to_drivers_urgent" : "to_drivers"}`,
          limits.toDrivers,
        ),
      }),

    sendNotice: (text) =>
      sendToDriver(text, { triesPaused: true, ceiling: toLimits(`${CEILING_PREFIX}notices`, NOTICES) }),

    async sendTest({ to, ...text }) {
      if (!deliver) return "failed";
      const [{ refused, status }, prepared] = await Promise.all([
        askFor(to, [
          ...toLimits(`test ${text.account}`, TESTS),
          ...toLimits(`${CEILING_PREFIX}to_drivers`, limits.toDrivers),
        ]),
        deliver.prepare({ to, ...text }),
      ]);
      if (refused) {
        await prepared.cancel();
        return refused.reason === "stopped" || refused.reason === "limit" ? refused.reason : "failed";
      }
      const result = await prepared.send(text);
      if (result.kind === "failed") return result.reason === "stopped" ? "stopped" : "failed";
      // A number without failures has nothing to forget.
      if (status !== "ok") await resumeTexts(db, to);
      return "sent";
    },

    async admitReply(to) {
      if (!isTextable(to, countries)) return false;
      const asked = [
        ...toLimits(`reply ${to}`, REPLIES),
        ...toLimits(`${CEILING_PREFIX}replies`, ALL_REPLIES),
      ];
      return (await limitOf(to, asked)) === null;
    },
  };
}
