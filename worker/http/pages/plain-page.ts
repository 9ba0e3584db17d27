import type { Context } from "hono";
import { formatUntil } from "../../../locales/format.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import type { ApiError } from "../errors/api-error.ts";
import type { AppEnv } from "../app-env.ts";
import { escapeHtml, visitorTimeZone } from "./served-cases.ts";
import { isolateOf } from "../isolate.ts";
import { requestLanguage } from "./request-language.ts";

/** Whether a person opens an address, and not a program that calls the API. */
export function opensPage({ method, headers }: Request): boolean {
  return method === "GET" && (headers.get("accept")?.includes("text/html") ?? false);
}

type PlainText = { title: string; paragraphs: readonly string[]; reloadEveryS: number | null };

/**
 * A page that needs nothing of ours, for a person who opens an address while the server can't serve the page itself. It says
 * nothing of the cause, which is in the log under the reference.
 */
export function answerPlainPage(c: Context<AppEnv>, error: ApiError): Response {
  const language = requestLanguage(c);
  const isMaintenance = error.code === "maintenance";
  const { title, paragraphs, reloadEveryS } = isMaintenance ? maintenanceText(c) : outageText(c);
  const requestId = isMaintenance ? undefined : c.get("requestId");
  const reference = requestId
    ? `<p><small>${formatMessage(language, "plain_reference", { id: requestId })}</small></p>`
    : "";
  const reload = reloadEveryS === null ? "" : `\n<meta http-equiv="refresh" content="${reloadEveryS}">`;
  // Everything in it is ours: nothing of the request.
  const html = `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">${reload}
<title>${title}</title>
<style>
:root { color-scheme: light dark; font: 1.125rem/1.5 system-ui, sans-serif; }
main { max-width: 32rem; margin: 15vh auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; line-height: 1.2; }
a { display: inline-block; padding: .625rem 0; color: inherit; }
</style>
<main>
<h1>${title}</h1>
${paragraphs.map((text) => `<p>${text}</p>`).join("\n")}
<p><a href="">${formatMessage(language, "plain_again")}</a></p>
${reference}
</main>
`;
  return c.html(html, error.status === 503 ? 503 : 500, {
    "content-security-policy":
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    vary: "accept-language, cookie",
  });
}

function outageText(c: Context<AppEnv>): PlainText {
  const language = requestLanguage(c);
  return {
    title: formatMessage(language, "plain_title"),
    paragraphs: [formatMessage(language, "plain_text")],
    reloadEveryS: null,
  };
}

/** The page comes back by itself. */
function maintenanceText(c: Context<AppEnv>): PlainText {
  const language = requestLanguage(c);
  const { config, now } = isolateOf(c.env).deps;
  const product = escapeHtml(config.productName);
  const until = config.maintenance?.until ?? null;
  const reading = { now: now(), timeZone: visitorTimeZone(c) };
  return {
    title: formatMessage(language, "maintenance_title"),
    paragraphs: [
      formatMessage(language, "maintenance_text", { product }),
      ...(until === null
        ? []
        : [formatMessage(language, "maintenance_until", { until: formatUntil(language, until, reading) })]),
    ],
    reloadEveryS: 60,
  };
}
