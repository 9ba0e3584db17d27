import { Hono } from "hono";
import { z } from "zod";
import { readBody } from "./problem.ts";
import type { Stage } from "./state.ts";

const ACCOUNT = "ACsandbox";
const TOKEN = "sandbox";
const NUMBER = "+15550100000";
const NUMBER_SID = `PN${"0".repeat(32)}`;
const SERVICE_SID = `MG${"0".repeat(32)}`;
const CAMPAIGN = "campaign";

const campaignChange = z.strictObject({ status: z.string().nullable() });
const serviceChange = z.strictObject({ inboundUrl: z.url().nullable(), usesNumber: z.boolean() });

/**
 * The SMS gateway's API about the account itself: its number, its messaging service, and the service's campaign.
 *
 * POST /sandbox/sms/campaign { status }: how far the campaign's registration is; null: there is none.
 * POST /sandbox/sms/service { inboundUrl, usesNumber }: where the service posts texts from phones, null nowhere; or whether it
 *   leaves that to the number. Until then it posts them where the number does.
 */
export function smsAccountRoutes({ state }: Stage) {
  const inbound = () => ({ address: state.smsEndpoints.get("incoming") ?? "", method: "POST" });
  const service = () => ({
    sid: SERVICE_SID,
    account_sid: ACCOUNT,
    friendly_name: "Sandbox",
    inbound_request_url: (state.smsEndpoints.get("service") ?? inbound().address) || null,
    inbound_method: inbound().method,
    use_inbound_webhook_on_number: state.smsEndpoints.get("service_uses_number") === "yes",
  });
  const unknown = { code: 20404, message: "The requested resource was not found", status: 404 };
  const account = new Hono()
    .use(async (c, next) => {
      if (c.req.header("authorization") !== `Basic ${btoa(`${ACCOUNT}:${TOKEN}`)}`)
        return c.json({ code: 20003, message: "Authenticate", status: 401 }, 401);
      await next();
    })
    .get(`/2010-04-01/Accounts/${ACCOUNT}.json`, (c) =>
      c.json({ sid: ACCOUNT, friendly_name: "Sandbox", status: "active", type: "Full" }, 200),
    )
    .get(`/2010-04-01/Accounts/${ACCOUNT}/IncomingPhoneNumbers.json`, (c) => {
      const { address, method } = inbound();
      const number = {
        sid: NUMBER_SID,
        phone_number: NUMBER,
        sms_url: address,
        sms_method: method,
        capabilities: { voice: true, sms: true, mms: true },
      };
      return c.json({ incoming_phone_numbers: c.req.query("PhoneNumber") === NUMBER ? [number] : [] }, 200);
    })
    .get(`/v1/Services`, (c) => c.json({ services: [service()], meta: { key: "services" } }, 200))
    .get(`/v1/Services/${SERVICE_SID}`, (c) => c.json(service(), 200))
    .get("/v1/Services/:service/PhoneNumbers/:number", (c) =>
      c.req.param("number") === NUMBER_SID ? c.json({ sid: NUMBER_SID }, 200) : c.json(unknown, 404),
    )
    .get(`/v1/Services/${SERVICE_SID}/Compliance/Usa2p`, (c) => {
      const status = state.smsCampaigns.get(CAMPAIGN) ?? "VERIFIED";
      const campaign = {
        sid: `QE${"0".repeat(32)}`,
        campaign_status: status,
        us_app_to_person_usecase: "MIXED",
      };
      return c.json({ compliance: status === "NONE" ? [] : [campaign] }, 200);
    })
    .get("/v1/Services/*", (c) => c.json(unknown, 404));
  const paths = ["/2010-04-01/*", "/v1/Services", "/v1/Services/*"];
  const routes = new Hono().post("/sandbox/sms/campaign", async (c) => {
    const { status } = await readBody(c, campaignChange);
    state.smsCampaigns.set(CAMPAIGN, status ?? "NONE");
    return c.body(null, 204);
  });
  routes.post("/sandbox/sms/service", async (c) => {
    const { inboundUrl, usesNumber } = await readBody(c, serviceChange);
    state.smsEndpoints.set("service", inboundUrl ?? "");
    state.smsEndpoints.set("service_uses_number", usesNumber ? "yes" : "no");
    return c.body(null, 204);
  });
  for (const path of paths) routes.get(path, (c) => account.fetch(c.req.raw));
  return routes;
}
