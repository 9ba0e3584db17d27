import * as z from "zod/mini";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { ask, describeResponse, read, findingsOf, type Check, type Finding, type Means } from "./means.ts";

const health = z.object({
  ok: z.boolean(),
  version: z.string(),
  reasons: z.optional(z.record(z.string(), z.string())),
  lastCron: z.optional(z.record(z.string(), z.number())),
});

/** A step of each cron, and how old its last success may be. */
const CRONS = [
  { name: "the minute's cron", step: "watch", atMostMs: 3 * MINUTE_MS },
  { name: "the hour's cron", step: "signing_keys", atMostMs: 2 * HOUR_MS + 10 * MINUTE_MS },
];

/** The deployment's own health, and when its crons last ran. */
export const checkDeployment: Check = async (means) => {
  const { config, isBefore, now } = means;
  const [service, cron] = [findingsOf("deployment"), findingsOf("cron")];
  if (isBefore) return [service.unasked("it is still to come"), cron.unasked("it is still to come")];
  const asked = await ask(means, `${config.publicUrl}/status/health`);
  const told = asked.status === 200 ? read(health, asked.body) : null;
  if (!told)
    return [
      service.wrong(
        `/status/health at PUBLIC_URL ${describeResponse(asked)}: look at the domain (routes in wrangler.toml), at MAINTENANCE, and at config.invalid in npx wrangler tail jornada`,
      ),
      cron.unasked("health says when it last ran, and is not there"),
    ];
  const { version, reasons = {}, lastCron = {} } = told;
  const troubles = Object.entries(reasons).map(([name, reason]) =>
    service.wrong(`${name}: ${reason} (the handbook's table of alerts says what that is)`),
  );
  return [
    ...(troubles.length > 0 ? troubles : [service.right(`release ${version} is well`)]),
    ...CRONS.map(({ name, step, atMostMs }) => {
      const at = lastCron[step];
      if (at === undefined)
        return cron.wrong(`${name} never ran: [triggers] in wrangler.toml has both, so deploy again`);
      const minutes = Math.floor((now() - at) / MINUTE_MS);
      return now() - at <= atMostMs
        ? cron.right(`${name} ran ${minutes} minutes ago`)
        : cron.wrong(
            `${name} last ran ${minutes} minutes ago: look for cron.step.failed in the log, and at the account's spending limit`,
          );
    }),
  ];
};

const { right, wrong, unasked } = findingsOf("console");
const certificates = z.object({ keys: z.array(z.object({ kid: z.string() })) });

/** Cloudflare Access: its keys, whether it stands before the console, and whether it lets this program in. */
export const checkConsole: Check = async (means) => {
  const { operators } = means.config;
  if (!operators) return [unasked("Access isn't set: there is no console")];
  const asked = await ask(means, `${operators.issuer}/cdn-cgi/access/certs`);
  const keys = asked.status === 200 ? read(certificates, asked.body)?.keys : undefined;
  if (keys === undefined || keys.length === 0)
    return [
      wrong(
        `Access ${describeResponse(asked)} at ACCESS_TEAM_DOMAIN: put the team's <name>.cloudflareaccess.com`,
      ),
    ];
  const own = right("Access shows its keys at ACCESS_TEAM_DOMAIN");
  if (means.isBefore) return [own];
  const { host, issuer } = operators;
  const door =
    host === null
      ? { origin: means.config.publicUrl, protectedPart: "this domain and the path ops*" }
      : { origin: `https://${host}`, protectedPart: `the host ${host} without a path` };
  return [own, await checkDoor(means, { ...door, issuer }), await checkEntry(means)];
};

/** Nobody without a token may come as far as the console. */
async function checkDoor(
  means: Means,
  { origin, issuer, protectedPart }: { origin: string; issuer: string; protectedPart: string },
): Promise<Finding> {
  const asked = await ask(means, `${origin}/ops`);
  if (asked.status === null) return wrong(`the console ${describeResponse(asked)}`);
  if (asked.status === 302 && hostOf(asked.location) === new URL(issuer).host)
    return right("Access stands before the console");
  if (asked.status === 404) return wrong("the deployment has no console: deploy Access's settings with it");
  if (asked.status === 401 || asked.status === 403)
    return wrong(`Access doesn't stand before the console: give its application ${protectedPart}`);
  return wrong(
    `the console ${describeResponse(asked)} to somebody without a token: give Access's application ${protectedPart}`,
  );
}

async function checkEntry(means: Means): Promise<Finding> {
  if (means.access === null) return unasked("no service token is at hand (CF_ACCESS_CLIENT_ID)");
  const { url, headers } = means.access;
  const asked = await ask(means, `${url}/ops/v1/cities`, { headers });
  if (asked.status === 200) return right("the console lets the service token in");
  if (asked.status === 401)
    return wrong(
      "the console doesn't take Access's token: put the application's audience tag into ACCESS_AUD",
    );
  if (asked.status === 403)
    return wrong(
      "the console doesn't know the service token: add its client id to OPS_OWNERS, and a policy of Service Auth in Access",
    );
  if (asked.status !== null && asked.status >= 300 && asked.status < 400)
    return wrong("Access doesn't let the service token in: add a policy with the action Service Auth");
  return wrong(`the console ${describeResponse(asked)} to the service token`);
}

function hostOf(address: string | null): string | null {
  return address !== null && URL.canParse(address) ? new URL(address).host : null;
}
