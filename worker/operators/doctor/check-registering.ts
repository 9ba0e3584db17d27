import * as z from "zod/mini";
import { ask, describeResponse, read } from "./ask.ts";
import { findingsOf, type Check } from "./means.ts";

const verified = z.object({ success: z.boolean(), "error-codes": z.array(z.string()) });

/** Turnstile's secret key: an answer that nobody gave is refused as such only if the key is known. */
export const checkRegistering: Check = async (means) => {
  const { right, wrong, unasked } = findingsOf("registering");
  const { turnstile } = means.config;
  if (!turnstile) return [unasked("Turnstile's keys aren't both at hand: registering asks no challenge")];
  const asked = await ask(means, `${turnstile.url}/siteverify`, {
    method: "POST",
    body: new URLSearchParams({ secret: turnstile.secretKey, response: "nobody" }),
  });
  const told = asked.status === null ? null : read(verified, asked.body);
  if (!told) return [wrong(`Turnstile ${describeResponse(asked)}: look at cloudflarestatus.com`)];
  return [
    told["error-codes"].some((code) => code.endsWith("-input-secret"))
      ? wrong("Turnstile doesn't know TURNSTILE_SECRET_KEY: put the widget's, with its TURNSTILE_SITE_KEY")
      : right("Turnstile knows the secret key"),
  ];
};
