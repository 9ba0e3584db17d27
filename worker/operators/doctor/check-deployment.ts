import * as z from "zod/mini";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { ask, describeResponse, read } from "./ask.ts";
import { findingsOf, type Check } from "./means.ts";

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
