import type { Config } from "../../durable/runtime/config.ts";
import type { EpochMs } from "../../db/shapes/units.ts";

/** A message to operators: that an incident began, or ended. */
export type AlertMessage = {
  /** The same for both messages of an incident. */
  id: string;
  event: "begins" | "ends";
  /** Its name and reason, as health says them. */
  name: string;
  reason: string;
  since: EpochMs;
  endedAt: EpochMs | null;
};

/** Where alerts go, and in which form. */
export type AlertTarget = NonNullable<Config["alerts"]>;
/** `consoleUrl` differs from drivers' address where the console has a host of its own. */
type Sender = Pick<Config, "productName" | "publicUrl"> & { consoleUrl: string };

const seenInHealth = (text: string) => ({ text, look: "/status/health" });
const seenInRequests = (text: string) => ({ text, look: "/ops/requests" });

/** The trouble, and the screen or the command that shows it, by the alert's name, its first two parts or its first. */
const MEANINGS: Record<string, { text: string; look: string }> = {
  "platform.down": { text: "The platform doesn't answer the drivers at work", look: "/ops" },
  "platform.limits": { text: "The platform makes the drivers at work wait", look: "/ops" },
  "platform.unreadable": {
    text: "The platform answers the drivers at work, and its answers can't be read: few captures or none",
    look: "/ops/fleet?in=waiting#list",
  },
  "platform.signed_out": {
    text: "The platform signed out many drivers within an hour: each must link again",
    look: "/ops/fleet?in=signedOut#list",
  },
  "objects.stale": {
    text: "Drivers who are on are not served: their objects don't wake",
    look: "/ops/fleet?in=stale#list",
  },
  "objects.failing": {
    text: "Drivers who are on are not served: their objects throw when they wake",
    look: "/ops/fleet?in=failing#list",
  },
  "payments.unserved": { text: "Money came in without service", look: "/ops (or: npm run ops -- alerts)" },
  "payments.fraud_warning": {
    text: "A bank calls a payment fraudulent: a refund costs less than the dispute that may follow",
    look: "/ops (or: npm run ops -- alerts)",
  },
  "payments.key": seenInHealth("Stripe refuses the key: nobody can pay"),
  "payments.webhook": seenInHealth(
    "Stripe's events don't arrive: payments count when the page or the hour asks for them",
  ),
  "platform.drift": {
    text: "The platform's answers differ from its contract: offers may be passed over, or read wrong",
    look: "/ops",
  },
  "cron.steps": seenInHealth(
    "Many steps of the crons failed or did not run, as after an outage of the database",
  ),
  "cron.alerts": seenInHealth("Alerts did not arrive, or could not be made"),
  "cron.stripe": seenInHealth("Stripe doesn't answer: nobody can pay"),
  "cron.chat_contacts": seenInHealth("The chat refuses our calls: contacts of deleted accounts stay there"),
  "cron.queue": seenInHealth(
    "Nobody carries out the queue's tasks: announcements, renewals and ended sessions wait",
  ),
  "texts.filtered": seenInHealth("A carrier objects to our texts, and some don't arrive"),
  "texts.undelivered": seenInHealth("The gateway takes our texts, and none arrives"),
  "texts.gateway": seenInHealth("The gateway takes no texts: nobody gets a code"),
  texts: seenInHealth("Some texts don't go out: a ceiling of an hour or a day is reached"),
  cron: seenInHealth("A step of a cron failed or did not run"),
  "limits.looks": seenInRequests("An operator looked at as many numbers as a day allows"),
  "limits.exports": seenInRequests("An operator made as many exports as a day allows"),
  "limits.special_prices": seenInRequests("An operator asked for a special price above the limits of a day"),
  "limits.gifts": seenInRequests("An operator asked for days or points above the limits of a day"),
  "limits.refunds": seenInRequests("An operator asked for a refund above the limits of a day"),
  "limits.numbers": seenInRequests("An operator changed as many drivers' numbers as a day allows"),
  "limits.access": seenInRequests("An operator shut out or let in as many drivers as a day allows"),
  limits: seenInRequests("An operator reached a limit of a day"),
  silence: { text: "Offers or captures ceased in a city", look: "/ops#cities" },
  "renewals.failing": seenInHealth("Renewals fail at every look"),
  "renewals.held": {
    text: "Renewals wait since the database was restored",
    look: '/status/health (and: npm run ops -- release-renewals --reason "…")',
  },
  orders: {
    text: "What an operator ordered could not be carried out for half an hour: refunds, unlinking or deletions wait",
    look: "/ops/log",
  },
  push: {
    text: "Push services refuse our notifications: VAPID's keys are no pair, or not those that browsers know",
    look: "/status/health (and: npm run ops -- doctor)",
  },
  registering: {
    text: "Nobody can register: Turnstile doesn't answer, or doesn't know the secret key",
    look: "/status/health (and: npm run ops -- doctor)",
  },
  queues: seenInHealth("Announcements or renewals failed at every try"),
  "settings.core": {
    text: "Every call is refused: a master key is missing that still seals something",
    look: "/status/health, and config.invalid in the log",
  },
  settings: seenInHealth("A setting is malformed, and what needs it stopped"),
  "database.down": seenInHealth(
    "The database doesn't answer: captures go on, nobody can sign in, pay or change anything",
  ),
  database: seenInHealth("The database is slow or nearly full"),
};

/** The request that tells operators of an incident, in the form of whoever receives it. */
export async function alertRequest(
  target: AlertTarget,
  message: AlertMessage,
  { sender, now }: { sender: Sender; now: EpochMs },
): Promise<Request> {
  const body = JSON.stringify(bodyOf(target, message, sender));
  const headers = new Headers({ "content-type": "application/json", "idempotency-key": keyOf(message) });
  if (target.form === "webhook" && target.key) {
    const at = String(now);
    headers.set("x-jornada-signature", `t=${at},v1=${await sign(target.key, `${at}.${body}`)}`);
  }
  if (target.form === "email" && target.key) headers.set("authorization", `Bearer ${target.key}`);
  return new Request(target.url, { method: "POST", headers, body });
}

function bodyOf({ form, key }: AlertTarget, message: AlertMessage, sender: Sender): unknown {
  const { id, event, name, reason, since, endedAt } = message;
  const { title, text, link } = describe(message, sender);
  switch (form) {
    case "webhook":
      return { id: keyOf(message), incident: id, event, name, reason, since, endedAt, title, text, link };
    case "slack":
      return { text: `*${withoutMarkup(title)}*\n${withoutMarkup(text)}` };
    case "pagerduty":
      return {
        routing_key: key,
        dedup_key: id,
        event_action: event === "begins" ? "trigger" : "resolve",
        payload: {
          summary: title,
          source: sender.publicUrl,
          severity: "critical",
          custom_details: { name, reason },
        },
        links: [{ href: link, text: "Health" }],
      };
    case "email":
      return { subject: title, text };
  }
}

/**
 * A text in which Slack finds no link and no mention: the name of a silent city is that of a driver's region, which is the
 * driver's own to write. https://docs.slack.dev/messaging/formatting-message-text#escaping
 */
function withoutMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** One for each message: a repeated one is the same. */
function keyOf({ id, event }: AlertMessage): string {
  return `${id}:${event}`;
}

function describe(
  { event, name, reason, since, endedAt }: AlertMessage,
  { productName, publicUrl, consoleUrl }: Sender,
) {
  const [subject = "", kind] = name.split(".");
  const { text, look } = MEANINGS[name] ??
    MEANINGS[`${subject}.${kind}`] ??
    MEANINGS[subject] ?? { text: name, look: "/status/health" };
  const said = event === "begins" ? text : `Over: ${text}`;
  const times = [
    `since ${new Date(since).toISOString()}`,
    ...(endedAt ? [`until ${new Date(endedAt).toISOString()}`] : []),
  ];
  return {
    title: `${productName}: ${said}`,
    text: `${said} (${name}: ${reason}), ${times.join(", ")}. See ${look.startsWith("/ops") ? consoleUrl : publicUrl}${look}`,
    link: `${publicUrl}/status/health`,
  };
}

async function sign(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
  return [...signature].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
