import { CircleCheck, TriangleAlert } from "lucide-react";
import type { Attention } from "../../../worker/contract/console/fleet.ts";
import { DEVICE_TIME_ZONE, formatCount, formatTime } from "../../features/language/format.ts";
import { useNow } from "../../ui/use-now.ts";
import { useOperator } from "../calls/operator.ts";
import { CONSOLE_PATHS } from "../console-page.ts";
import { Section } from "../tables/data-table.tsx";
import { m } from "../messages/messages.js";

const MINUTE_MS = 60_000;
/** The name of an alert of a field that is not as the platform's contract says: then the call and the field. */
const DRIFT = "platform.drift.";
/** The name of an alert of a city in which offers or captures ceased: then the city. */
const SILENCE = "silence.";
const STRIPE_DASHBOARD = "https://dashboard.stripe.com/payments";

/** Tasks for an operator now, each with its link. */
export function AttentionList({ attention }: { attention: readonly Attention[] }) {
  const now = useNow(MINUTE_MS);
  const { publicUrl = "" } = useOperator();
  return (
    <Section title={m.attention()}>
      {attention.length === 0 ? (
        <p className="flex items-center gap-2 px-5 pb-4 text-soft">
          <CircleCheck aria-hidden className="size-5 shrink-0 text-good" />
          {m.attention_none()}
        </p>
      ) : (
        <ul className="divide-y divide-line border-t border-line" data-testid="attention">
          {attention.map((item) => {
            const { text, href, link } = describe(item, { now, publicUrl });
            return (
              <li key={keyOf(item)} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2">
                <TriangleAlert aria-hidden className="size-5 shrink-0 text-bad" />
                <span className="min-w-0 flex-1 basis-60 break-words">{text}</span>
                <a
                  href={href}
                  className="grid min-h-11 place-items-center font-semibold underline underline-offset-4"
                >
                  {link}
                </a>
              </li>
            );
          })}
        </ul>
      )}
    </Section>
  );
}

/** The same for as long as it stands, whatever it counts by then: the words of two may be the same. */
function keyOf(item: Attention): string {
  if (item.kind === "money") return ["money", item.alert, item.driverId, item.since].join(" ");
  return item.kind === "texts" ? item.alert : item.kind;
}

function describe(
  item: Attention,
  { now, publicUrl }: { now: number; publicUrl: string },
): { text: string; href: string; link: string } {
  const since = (at: number) => formatTime(at, { timeZone: DEVICE_TIME_ZONE, now });
  switch (item.kind) {
    case "stale":
      return {
        text: m.attention_stale({ count: formatCount(item.drivers) }),
        href: CONSOLE_PATHS.fleetList("stale"),
        link: m.attention_who(),
      };
    case "failing":
      return {
        text: m.attention_failing({ count: formatCount(item.drivers), failure: item.failure }),
        href: CONSOLE_PATHS.fleetList("failing"),
        link: m.attention_who(),
      };
    case "signed_out":
      return {
        text: m.attention_signed_out({ count: formatCount(item.drivers) }),
        href: CONSOLE_PATHS.fleetList("signedOut"),
        link: m.attention_who(),
      };
    case "platform_down":
    case "platform_limits": {
      const { drivers, of } = item;
      const said = { drivers: formatCount(drivers), of: formatCount(of), since: since(item.since) };
      return {
        text: item.kind === "platform_down" ? m.attention_down(said) : m.attention_limits(said),
        href: CONSOLE_PATHS.fleetList("waiting"),
        link: m.attention_who(),
      };
    }
    case "platform_refuses":
      return {
        text: m.attention_refuses({ percent: formatCount(item.percent) }),
        href: "#answers",
        link: m.attention_answers(),
      };
    case "platform_fails":
      return {
        text: m.attention_fails({ percent: formatCount(item.percent) }),
        href: "#answers",
        link: m.attention_answers(),
      };
    case "money":
      return {
        text: m.attention_money({ kind: moneyKind(item.alert), since: since(item.since) }),
        href: item.driverId === null ? STRIPE_DASHBOARD : CONSOLE_PATHS.driver(item.driverId),
        link: item.driverId === null ? m.attention_stripe() : m.driver(),
      };
    case "texts":
      if (item.alert.startsWith(DRIFT)) {
        return {
          text: m.attention_drift({
            field: item.alert.slice(DRIFT.length).replace(".", ": "),
            since: since(item.since),
          }),
          href: CONSOLE_PATHS.fleetList("waiting"),
          link: m.attention_who(),
        };
      }
      if (item.alert.startsWith(SILENCE)) {
        const city = item.alert.slice(SILENCE.length);
        const said = { reason: item.reason, since: since(item.since) };
        return {
          text:
            city === "everywhere" ? m.attention_silence_all(said) : m.attention_silence({ city, ...said }),
          href: "#cities",
          link: m.by_city(),
        };
      }
      if (!item.alert.startsWith("text")) {
        return {
          text: alertText(item.alert, { reason: item.reason, since: since(item.since) }),
          href: `${publicUrl}/status/health`,
          link: m.attention_health(),
        };
      }
      return {
        text: m.attention_texts({ name: item.alert, reason: item.reason, since: since(item.since) }),
        href: CONSOLE_PATHS.drivers,
        link: m.nav_drivers(),
      };
  }
}

type AlertFacts = { reason: string; since: string };

/** The alerts that an operator meets, by their names. */
const ALERT_TEXTS: Readonly<Record<string, (facts: AlertFacts) => string>> = {
  "platform.unreadable": m.attention_unreadable,
  "payments.key": m.attention_card_key,
  "payments.webhook": m.attention_card_events,
  "cron.stripe": m.attention_cards_down,
  "cron.queue": m.attention_queue,
  "cron.alerts": m.attention_alerts,
  "queues.dead": m.attention_dead_tasks,
  "renewals.failing": m.attention_renewals,
  "renewals.held": m.attention_held,
  "orders.left": m.attention_orders,
  "push.refused": m.attention_push,
  "registering.challenge": m.attention_registering,
  "database.strained": m.attention_database,
};

/** The alert's message; the name of a later release's. */
function alertText(name: string, facts: AlertFacts): string {
  const [subject, part = ""] = [name.split(".", 1)[0], name.slice(name.indexOf(".") + 1)];
  const known = ALERT_TEXTS[name];
  if (known) return known(facts);
  if (subject === "cron") return m.attention_step({ step: part, ...facts });
  if (subject === "settings") return m.attention_setting({ name: part, ...facts });
  return m.attention_alert({ name, ...facts });
}

function moneyKind(alert: string): string {
  if (alert === "mismatch") return m.money_mismatch();
  if (alert === "unknown_payment") return m.money_unknown();
  if (alert === "fraud_warning") return m.money_fraud_warning();
  if (alert === "second_intent") return m.money_second_intent();
  if (alert === "unknown_intent") return m.money_unknown_intent();
  return alert === "unrefunded" ? m.money_unrefunded() : alert;
}
