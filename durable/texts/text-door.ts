import type { Db } from "../../db/client.ts";
import { clearAlert, raiseAlert } from "../../db/queries/alerts.ts";
import { countText, uncountText, type TextLimit } from "../../db/queries/text-limits.ts";
import { DAY_MS, HOUR_MS, type EpochMs } from "../../db/shapes/units.ts";
import { errorName } from "../runtime/describe-error.ts";
import type { Log } from "../runtime/log.ts";
import { networkOf } from "./networks.ts";
import { isTextable } from "./phone-numbers.ts";
import { mayHaveArrived, type Sms, type SmsFailure, type SmsResult } from "../sms/sms.ts";

/** The most texts in an hour and in a day, each beginning with the first of them. */
export type HourAndDay = { perHour: number; perDay: number };

/**
 * The limits of texts. The last four are ceilings of the whole deployment, each counted by itself: who has codes sent
 * to strangers' numbers silences neither the codes of those who have an account nor what drivers hear of their blocks, and
 * invitations silence neither.
 */
export type TextLimits = {
  perNumber: HourAndDay;
  perAccount: HourAndDay;
  perNetwork: HourAndDay;
  toNewNumbers: HourAndDay;
  toProvedNumbers: HourAndDay;
  toDrivers: HourAndDay;
  toInvitedNumbers: HourAndDay;
};

/** A code that is to be sent, and what it is counted for. */
export type CodeRequest = {
  to: string;
  /** Whether a code proved the number before. */
  isProved: boolean;
  account: string;
  /** Who caused it; null for a call from inside. */
  address: string | null;
  /** For a name without an account: refused and counted alike, except that it uses up no ceiling. */
  isDecoy: boolean;
};

/**
 * `refused`: because the `number` gets no texts, because a `limit` of the number, the account or the caller's network is
 * reached, or because a `ceiling` of the deployment is.
 */
export type Admission =
  | {
      kind: "admitted";
      /** Sends the code, once. Never throws. */
      send(body: string): Promise<CodeOutcome>;
      /** Takes back what was counted, since nothing will be sent. */
      cancel(): Promise<void>;
    }
  | { kind: "refused"; reason: "number" | "limit" | "ceiling" };

/** `failed`: the gateway didn't send it, or with `mayArrive` nobody knows whether it did. */
export type CodeOutcome =
  | { kind: "sent" }
  | { kind: "failed"; reason: SmsFailure | "no_gateway"; mayArrive: boolean };

/** The one way to a text message. Whatever sends one is checked and counted here. */
export type TextDoor = {
  /** Counts a code against every limit that it falls under, or refuses it. */
  admitCode(request: CodeRequest): Promise<Admission>;
  /** The same for an invitation to a number that did not ask for it, under a ceiling of its own. */
  admitInvitation(request: Pick<CodeRequest, "to" | "address">): Promise<Admission>;
  /** Warns the owner of an account: once a day at most, and not above a ceiling of its own. Never throws. */
  sendWarning(warning: { to: string; account: string; body: string }): Promise<void>;
  /** Sends a driver what they asked to hear of. Never throws; attacks on codes can't stop it. */
  sendText: Sms["sendText"];
};

/** How long a gateway that failed is reported without another text that went through or failed. */
const GATEWAY_ALERT_MS = DAY_MS;
const GATEWAY_ALERT = "texts.gateway";
const CEILING_PREFIX = "ceiling ";
const NETWORK_PREFIX = "network ";
/** Warnings of the whole deployment. Who attacks many accounts has no more texts sent than these. */
const WARNINGS: HourAndDay = { perHour: 100, perDay: 500 };

type Refusal = Extract<Admission, { kind: "refused" }>;

/** @param deps.sms null if no gateway is configured */
export function createTextDoor({
  sms,
  db,
  now,
  log,
  countries,
  limits,
}: {
  sms: Sms | null;
  db: Db;
  now: () => EpochMs;
  log: Log;
  countries: readonly string[];
  limits: TextLimits;
}): TextDoor {
  function limitsOf({ to, isProved, account, address, isDecoy }: CodeRequest): TextLimit[] {
    const name = isProved ? "to_proved_numbers" : "to_new_numbers";
    const ceiling = toLimits(CEILING_PREFIX + name, isProved ? limits.toProvedNumbers : limits.toNewNumbers);
    return [
      ...toLimits(`number ${to}`, limits.perNumber),
      ...toLimits(`account ${account}`, limits.perAccount),
      ...(address === null ? [] : toLimits(NETWORK_PREFIX + networkOf(address), limits.perNetwork)),
      ...ceiling.map((limit) => ({ ...limit, counts: !isDecoy })),
    ];
  }

  /** Null if the text may be sent; it is counted then. */
  async function refusalOf(to: string, asked: readonly TextLimit[]): Promise<Refusal | null> {
    if (!isTextable(to, countries)) {
      log("warn", "texts.refused", { limits: ["country"], area: areaOf(to) });
      return { kind: "refused", reason: "number" };
    }
    const at = now();
    const reached = await countText(db, asked, at);
    if (reached.length === 0) return null;
    const ceiling = reached.find(({ key }) => key.startsWith(CEILING_PREFIX));
    if (ceiling) await reportCeiling(ceiling, at);
    // What is limited, without whose number or address it is.
    log("warn", "texts.refused", {
      limits: reached.map(({ key }) => key.split(" ")[0] ?? ""),
      area: areaOf(to),
    });
    return { kind: "refused", reason: ceiling ? "ceiling" : "limit" };
  }

  async function reportCeiling({ key, most, windowMs }: TextLimit, at: EpochMs): Promise<void> {
    const [, name = "", window = ""] = key.split(" ");
    const alert = { name: `texts.${name}`, reason: `ceiling_by_${window}`, since: at, until: at + windowMs };
    if (await raiseAlert(db, alert))
      log("error", "texts.ceiling.reached", { ceiling: name, by: window, most });
  }

  async function deliver(gateway: Sms, text: { to: string; body: string }): Promise<SmsResult> {
    const result = await gateway.sendText(text);
    if (result.kind === "failed")
      log("warn", "texts.failed", { reason: result.reason, area: areaOf(text.to) });
    try {
      await reportGateway(result);
    } catch (error) {
      log("warn", "texts.alert.failed", { error: errorName(error) });
    }
    return result;
  }

  /** A gateway that refuses one number is well. */
  async function reportGateway(result: SmsResult): Promise<void> {
    if (result.kind === "sent") {
      if (await clearAlert(db, GATEWAY_ALERT)) log("info", "texts.gateway.recovered");
      return;
    }
    const { reason } = result;
    if (reason === "number") return;
    const at = now();
    const alert = { name: GATEWAY_ALERT, reason, since: at, until: at + GATEWAY_ALERT_MS };
    if (await raiseAlert(db, alert)) log("error", "texts.gateway.failed", { reason });
  }

  async function admit(to: string, asked: readonly TextLimit[]): Promise<Admission> {
    const refused = await refusalOf(to, asked);
    if (refused) return refused;
    const counted = asked.filter(({ counts }) => counts).map(({ key }) => key);
    return {
      kind: "admitted",
      cancel: () => uncountText(db, counted),
      async send(body) {
        const result = sms && (await deliver(sms, { to, body }));
        if (result?.kind === "sent") return { kind: "sent" };
        const reason = result?.reason ?? "no_gateway";
        if (reason === "no_gateway") log("error", "texts.gateway.failed", { reason });
        const mayArrive = reason !== "no_gateway" && mayHaveArrived(reason);
        // What cost nothing doesn't count, so that the next try isn't refused; the network's tries do.
        const refunded = counted.filter((key) => !key.startsWith(NETWORK_PREFIX));
        if (!mayArrive) await uncountText(db, refunded);
        return { kind: "failed", reason, mayArrive };
      },
    };
  }

  return {
    admitCode: (request) => admit(request.to, limitsOf(request)),

    admitInvitation: ({ to, address }) =>
      admit(to, [
        ...toLimits(`number ${to}`, limits.perNumber),
        ...(address === null ? [] : toLimits(NETWORK_PREFIX + networkOf(address), limits.perNetwork)),
        ...toLimits(`${CEILING_PREFIX}to_invited_numbers`, limits.toInvitedNumbers),
      ]),

    async sendWarning({ to, account, body }) {
      if (!sms) return;
      const once = { key: `warning ${account} day`, most: 1, windowMs: DAY_MS, counts: true };
      try {
        if (await refusalOf(to, [once, ...toLimits(`${CEILING_PREFIX}warnings`, WARNINGS)])) return;
        await deliver(sms, { to, body });
      } catch (error) {
        log("warn", "texts.warning.failed", { error: errorName(error) });
      }
    },

    async sendText(text) {
      if (!sms) return { kind: "failed", reason: "request", retryable: false };
      try {
        const refused = await refusalOf(text.to, toLimits(`${CEILING_PREFIX}to_drivers`, limits.toDrivers));
        if (refused) return { kind: "failed", reason: "number", retryable: false };
      } catch (error) {
        // A capture is told even while nothing can be counted.
        log("warn", "texts.count.failed", { error: errorName(error) });
      }
      return deliver(sms, text);
    },
  };
}

function toLimits(subject: string, { perHour, perDay }: HourAndDay): TextLimit[] {
  return [
    { key: `${subject} hour`, most: perHour, windowMs: HOUR_MS, counts: true },
    { key: `${subject} day`, most: perDay, windowMs: DAY_MS, counts: true },
  ];
}

/** Country and area code: enough to see where an attack goes, and nobody's number. */
function areaOf(number: string): string {
  return number.slice(0, 5);
}
