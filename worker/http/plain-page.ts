import type { Context } from "hono";
import { formatMessage } from "../../locales/format-message.ts";
import type { AppEnv } from "./app-env.ts";
import { requestLanguage } from "./request-language.ts";

/** Whether a person opens an address, and not a program that calls the API. */
export function opensPage({ method, headers }: Request): boolean {
  return method === "GET" && (headers.get("accept")?.includes("text/html") ?? false);
}

/**
 * A page that needs nothing of ours, for a person who opens an address while the server can't serve the page itself. It says
 * nothing of the cause, which is in the log under the reference.
 */
export function answerPlainPage(
  c: Context<AppEnv>,
  status: 500 | 503,
  requestId: string | undefined,
): Response {
  const language = requestLanguage(c);
  const format = (key: Parameters<typeof formatMessage>[1], values = {}) =>
    formatMessage(language, key, values);
  const reference = requestId ? `<p><small>${format("plain_reference", { id: requestId })}</small></p>` : "";
  // Everything in it is ours: nothing of the request, and no setting.
  const html = `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${format("plain_title")}</title>
<style>
:root { color-scheme: light dark; font: 1.125rem/1.5 system-ui, sans-serif; }
main { max-width: 32rem; margin: 15vh auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; line-height: 1.2; }
a { display: inline-block; padding: .625rem 0; color: inherit; }
</style>
<main>
<h1>${format("plain_title")}</h1>
<p>${format("plain_text")}</p>
<p><a href="">${format("plain_again")}</a></p>
${reference}
</main>
`;
  return c.html(html, status, {
    "content-security-policy":
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    vary: "accept-language, cookie",
  });
}
