import { createHmac } from "node:crypto";
import * as z from "zod/mini";
import { HANDLED_EVENTS } from "../../../db/shapes/money/stripe-words.ts";
import { ask, describeResponse, read, findingsOf, type Check, type Finding, type Means } from "./means.ts";

const endpoints = z.object({
  data: z.array(z.object({ url: z.string(), status: z.string(), enabled_events: z.array(z.string()) })),
});
const { right, wrong, unasked } = findingsOf("cards");

type Cards = NonNullable<Means["config"]["cards"]>;

/** Stripe's keys, and its webhook's address, events and secret. */
export const checkCards: Check = async (means) => {
  const { cards } = means.config;
  if (!cards) return [unasked("Stripe's keys aren't both at hand")];
  const listed = await stripe(means, cards.secretKey, "/v1/payment_intents?limit=1");
  if (listed.status === 401)
    return [wrong("Stripe doesn't know STRIPE_SECRET_KEY: put a key from its dashboard")];
  if (listed.status === 403)
    return [wrong("STRIPE_SECRET_KEY may not read payment intents: give it the handbook's permissions")];
  if (listed.status !== 200)
    return [wrong(`Stripe ${describeResponse(listed)}: look at status.stripe.com, and at STRIPE_URL`)];
  return [
    right("Stripe knows the secret key"),
    ...(await checkEvents(means, cards)),
    await checkPublishable(means),
    await checkWebhook(means, cards),
    ...(await checkSecret(means, cards)),
  ];
};

/** A restricted key may lack the right, and the hour's look for disputes that were decided late then finds none. */
async function checkEvents(means: Means, { secretKey }: Cards): Promise<Finding[]> {
  const listed = await stripe(means, secretKey, "/v1/events?limit=1");
  return listed.status === 403
    ? [wrong("STRIPE_SECRET_KEY may not read events: give it the handbook's permissions")]
    : [];
}

/**
 * A publishable key may read an intent with its client secret; this one is nobody's, and Stripe says so only to a key
 * that it knows.
 */
async function checkPublishable(means: Means): Promise<Finding> {
  const key = means.config.stripePublishableKey ?? "";
  const asked = await stripe(means, key, "/v1/payment_intents/pi_none?client_secret=pi_none_secret_none");
  if (asked.status === 401)
    return wrong("Stripe doesn't know STRIPE_PUBLISHABLE_KEY: put it beside its secret key");
  return asked.status === null || asked.status >= 500
    ? wrong(`the publishable key can't be looked up: Stripe ${describeResponse(asked)}`)
    : right("Stripe knows the publishable key");
}

async function checkWebhook(means: Means, { secretKey }: Cards): Promise<Finding> {
  const wanted = `${means.config.publicUrl}/webhooks/stripe`;
  const asked = await stripe(means, secretKey, "/v1/webhook_endpoints?limit=100");
  if (asked.status === 401 || asked.status === 403)
    return unasked("the key may not read webhook endpoints: look in Stripe's dashboard, or let it read them");
  const listed = asked.status === 200 ? read(endpoints, asked.body) : null;
  if (!listed) return wrong(`the webhook can't be looked up: Stripe ${describeResponse(asked)}`);
  const own = listed.data.filter(({ url }) => url === wanted);
  const [endpoint] = own.toSorted((one, other) => Number(isOn(other)) - Number(isOn(one)));
  if (!endpoint)
    return wrong(`no webhook endpoint has the address ${wanted}: create it in Stripe's dashboard`);
  if (!isOn(endpoint)) return wrong("the webhook endpoint is disabled: enable it in Stripe's dashboard");
  const sent = new Set(endpoint.enabled_events);
  const left = sent.has("*") ? [] : [...HANDLED_EVENTS].filter((event) => !sent.has(event));
  return left.length === 0
    ? right("the webhook endpoint has this address and all events")
    : wrong(`the webhook endpoint lacks ${left.join(", ")}: add them in Stripe's dashboard`);
}

/** An event that means nothing, signed with the secret at hand, to the deployment: only its own secret opens it. */
async function checkSecret(means: Means, { webhookSecrets }: Cards): Promise<Finding[]> {
  const [secret] = webhookSecrets;
  if (secret === undefined) return [unasked("STRIPE_WEBHOOK_SECRETS isn't at hand")];
  if (means.isBefore) return [];
  const body = JSON.stringify({
    id: "evt_doctor",
    object: "event",
    type: "doctor.asked",
    created: Math.floor(means.now() / 1000),
    data: { object: { id: "doctor", object: "doctor" } },
  });
  const at = Math.floor(means.now() / 1000);
  const signature = createHmac("sha256", secret).update(`${at}.${body}`).digest("hex");
  const asked = await ask(means, `${means.config.publicUrl}/webhooks/stripe`, {
    method: "POST",
    headers: { "content-type": "application/json", "stripe-signature": `t=${at},v1=${signature}` },
    body,
  });
  if (asked.status === 200) return [right("the deployment opens events with the webhook's secret")];
  if (asked.status === 400)
    return [
      wrong("the deployment has another STRIPE_WEBHOOK_SECRETS: put the one that is at hand, or the reverse"),
    ];
  return [
    wrong(
      `the deployment's webhook ${describeResponse(asked)}: its Stripe settings are missing or malformed`,
    ),
  ];
}

function stripe(means: Means, key: string, path: string) {
  const root = means.config.cards?.url ?? "";
  return ask(means, `${root}${path}`, { headers: { authorization: `Bearer ${key}` } });
}

function isOn({ status }: { status: string }): boolean {
  return status === "enabled";
}
