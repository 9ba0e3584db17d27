import * as z from "zod/mini";
import {
  ask,
  describeResponse,
  read,
  type Asked,
  findingsOf,
  type Check,
  type Finding,
  type Means,
} from "./means.ts";

const account = z.object({ status: z.string() });
const numbers = z.object({
  incoming_phone_numbers: z.array(
    z.object({
      sid: z.string(),
      sms_url: z.nullable(z.string()),
      sms_method: z.nullable(z.string()),
      capabilities: z.object({ sms: z.boolean() }),
    }),
  ),
});
const shortCodes = z.object({
  short_codes: z.array(z.object({ sms_url: z.nullable(z.string()), sms_method: z.nullable(z.string()) })),
});
/** A service takes texts for its numbers, unless it leaves them to each number. */
const service = z.object({
  sid: z.string(),
  inbound_request_url: z.nullable(z.string()),
  inbound_method: z.nullable(z.string()),
  use_inbound_webhook_on_number: z._default(z.boolean(), false),
});
type Service = z.infer<typeof service>;
const services = z.object({ services: z.array(service) });
const campaigns = z.object({ compliance: z.array(z.object({ campaign_status: z.string() })) });

const { right, wrong, unasked } = findingsOf("texts");
/** The doctor looks through so many messaging services for the one that the number's campaign belongs to. */
const MOST_SERVICES = 20;
const TOLL_FREE = /^\+1(800|833|844|855|866|877|888)/;

/** Twilio's account, the sender, its campaign, and where texts from phones go. */
export const checkTexts: Check = async (means) => {
  const { sms } = means.config;
  if (!sms) return [unasked("Twilio's settings aren't all at hand")];
  const { call, base, messaging } = openTwilio(means, sms);
  const wanted = `${means.config.publicUrl}/webhooks/texts/incoming`;
  const own = await call(`${base}.json`);
  if (own.status === 401 || own.status === 403 || own.status === 404)
    return [
      wrong("Twilio doesn't know TWILIO_ACCOUNT_SID with TWILIO_AUTH_TOKEN: put both from its console"),
    ];
  const status = own.status === 200 ? read(account, own.body)?.status : undefined;
  if (status === undefined)
    return [wrong(`Twilio ${describeResponse(own)}: look at status.twilio.com, and at TWILIO_URL`)];
  if (status !== "active")
    return [wrong(`the account is ${status}: pay or talk to Twilio, since no text goes out`)];
  const key = right("Twilio knows the SID and the token");
  if (sms.sender === "service") return [key, ...(await checkService())];
  if (sms.sender === "short_code") return [key, ...(await checkShortCode())];
  return [key, ...(await checkNumber())];

  async function checkService(): Promise<Finding[]> {
    const url = `${messaging}/v1/Services/${sms?.from ?? ""}`;
    const found = await call(url);
    const parsed = found.status === 200 ? read(service, found.body) : null;
    if (!parsed) return [missing(found, "the messaging service in TWILIO_FROM")];
    return [
      right("the messaging service exists"),
      parsed.use_inbound_webhook_on_number
        ? unasked(
            `the service leaves texts from phones to its numbers: each must have POST ${wanted} for them`,
          )
        : webhookOf(parsed),
      campaign(await call(`${url}/Compliance/Usa2p`)),
    ];
  }

  async function checkShortCode(): Promise<Finding[]> {
    const found = await call(`${base}/SMS/ShortCodes.json?ShortCode=${sms?.from ?? ""}`);
    const [code] = (found.status === 200 ? read(shortCodes, found.body) : null)?.short_codes ?? [];
    if (!code) return [missing(found, "the short code in TWILIO_FROM")];
    return [
      right("the account has the short code"),
      webhook({ address: code.sms_url, method: code.sms_method, at: "the short code" }),
    ];
  }

  async function checkNumber(): Promise<Finding[]> {
    const from = sms?.from ?? "";
    const found = await call(`${base}/IncomingPhoneNumbers.json?PhoneNumber=${encodeURIComponent(from)}`);
    const [number] = (found.status === 200 ? read(numbers, found.body) : null)?.incoming_phone_numbers ?? [];
    if (!number) return [missing(found, "the number in TWILIO_FROM")];
    const { sms_url: address, sms_method: method, capabilities } = number;
    const needsCampaign = from.startsWith("+1") && !TOLL_FREE.test(from);
    const home = await serviceOf(number.sid);
    const takesTexts = home.service !== null && !home.service.use_inbound_webhook_on_number;
    return [
      capabilities.sms
        ? right("the account has the number, and it can send texts")
        : wrong("the number can't send texts: get one that can, and put it into TWILIO_FROM"),
      takesTexts && home.service ? webhookOf(home.service) : webhook({ address, method, at: "the number" }),
      ...(needsCampaign ? [await campaignAt(home)] : []),
    ];
  }

  /** The messaging service that a number belongs to; `unknown` says why none could be found. */
  async function serviceOf(numberSid: string): Promise<{ service: Service | null; unknown: string | null }> {
    const listed = await call(`${messaging}/v1/Services?PageSize=${MOST_SERVICES}`);
    const all = (listed.status === 200 ? read(services, listed.body) : null)?.services;
    if (!all) return { service: null, unknown: describeResponse(listed) };
    for (const one of all) {
      const member = await call(`${messaging}/v1/Services/${one.sid}/PhoneNumbers/${numberSid}`);
      if (member.status === 200) return { service: one, unknown: null };
    }
    return { service: null, unknown: null };
  }

  async function campaignAt({
    service: home,
    unknown,
  }: Awaited<ReturnType<typeof serviceOf>>): Promise<Finding> {
    if (unknown !== null) return wrong(`the number's campaign is unknown: Twilio ${unknown}`);
    if (home) return campaign(await call(`${messaging}/v1/Services/${home.sid}/Compliance/Usa2p`));
    return wrong(
      "the number belongs to no messaging service, so to no campaign: carriers in the US block it. Register a campaign, and add the number to its service",
    );
  }

  /** A service without an address drops what phones send to its numbers, whatever those have. */
  function webhookOf({ inbound_request_url: address, inbound_method: method }: Service): Finding {
    return webhook({ address, method, at: "the messaging service, which takes them for its numbers" });
  }

  /** Where Twilio posts what phones send: a STOP is stored only there. */
  function webhook({
    address,
    method,
    at,
  }: Record<"address" | "method", string | null> & { at: string }): Finding {
    return address === wanted && method === "POST"
      ? right("texts from phones are posted to this deployment")
      : wrong(`texts from phones are not posted to this deployment: set POST ${wanted} for them at ${at}`);
  }
};

function openTwilio(means: Means, sms: NonNullable<Means["config"]["sms"]>) {
  const root = sms.url.replace(/\/+$/, "");
  const authorization = `Basic ${btoa(`${sms.accountSid}:${sms.authToken}`)}`;
  return {
    base: `${root}/2010-04-01/Accounts/${encodeURIComponent(sms.accountSid)}`,
    // Messaging services have a host of their own: https://www.twilio.com/docs/messaging/api/service-resource
    messaging: root.replace("://api.", "://messaging."),
    call: (url: string) => ask(means, url, { headers: { authorization, accept: "application/json" } }),
  };
}

function missing(asked: Asked, what: string): Finding {
  return asked.status === 200 || asked.status === 404
    ? wrong(`the account doesn't have ${what}: no text goes out. Choose one that it has`)
    : wrong(`${what} can't be looked up: Twilio ${describeResponse(asked)}`);
}

/** https://www.twilio.com/docs/messaging/api/usapptoperson-resource */
function campaign(asked: Asked): Finding {
  const listed = asked.status === 200 ? read(campaigns, asked.body) : null;
  if (!listed) return wrong(`the campaign can't be looked up: Twilio ${describeResponse(asked)}`);
  const [found] = listed.compliance;
  if (!found)
    return wrong("there is no campaign: carriers in the US block the texts until one is registered");
  return found.campaign_status === "VERIFIED"
    ? right("the campaign is registered")
    : wrong(
        `the campaign is ${found.campaign_status.toLowerCase().replaceAll("_", " ")}: carriers in the US block the texts until it is verified, which Twilio's console follows`,
      );
}
