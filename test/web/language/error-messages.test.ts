import { expect, it } from "vitest";
import { RequestError, parseRequestError } from "../../../web/api/client/request-error.ts";
import { extractMessage, errorMessage } from "../../../web/features/language/error-messages.ts";
import { m } from "../../../web/messages/messages.js";
import { fieldMessages } from "../../../web/features/language/field-messages.ts";

it.each([
  ["the language of the page", { en: "Late", es: "Tarde", pt: "Atrasado" }, "pt", "Atrasado"],
  ["Spanish where that is missing", { es: "Tarde" }, "en", "Tarde"],
  ["Spanish where that is empty", { en: "", es: "Tarde" }, "en", "Tarde"],
  ["the text as it stands", "Too late", "pt", "Too late"],
  ["nothing for no language that is known", { fr: "Tard" }, "en", null],
  ["nothing for what is no text", { es: 7 }, "es", null],
  ["nothing for an empty text", "", "en", null],
  ["nothing for nothing", undefined, "en", null],
])("takes of a message %s", (_what, message, language, said) => {
  expect(extractMessage({ message }, language)).toBe(said);
});

const said = async (status: number, body: string, headers: Record<string, string> = {}) =>
  errorMessage(await parseRequestError(new Response(body, { status, headers })));

it("says what support finds it by, of what the driver can't mend and of nothing else", async () => {
  const message = { en: "-", es: "-", pt: "-" };
  const answer = (code: string) => JSON.stringify({ code, message, requestId: "7KQF2M9XT4" });
  const text = "An error occurred. Try again in a moment.";
  expect(await said(500, answer("internal"))).toBe(`${text} (Reference: 7KQF2M9XT4)`);
  expect(await said(403, answer("forbidden"))).not.toContain("7KQF2M9XT4");
  // A response that isn't ours may still have passed through the Worker, which names it in a header.
  const headers = { "x-request-id": "7KQF2M9XT4" };
  expect(await said(500, "<html>", headers)).toBe(`${text} (Reference: 7KQF2M9XT4)`);
  expect(await said(500, `{"error":"?"}`, headers)).toBe("An error occurred (Reference: 7KQF2M9XT4)");
  expect(await said(502, "<html>")).toBe(text);
});

it("finds nothing in an answer other than an object", () => {
  expect(extractMessage(["no"], "en")).toBeNull();
});

it("says a failure that it knows in words of its own, and lets another speak for itself", async () => {
  const message = {
    en: "Not in this city yet.",
    es: "Aún no en esta ciudad.",
    pt: "Ainda não nesta cidade.",
  };
  const known = { code: "forbidden", message, requestId: "1" };
  expect(await said(403, JSON.stringify(known))).toBe(
    "That belongs to another account. Sign in with that account to open it.",
  );
  expect(await said(403, JSON.stringify({ ...known, code: "not_here_yet" }))).toBe("Not in this city yet.");
  expect(await said(400, JSON.stringify({ error: "?" }))).toBe("An error occurred");
  expect(await said(502, "<html>")).toBe("An error occurred. Try again in a moment.");
  expect(errorMessage(new RequestError(0, "network"))).toContain("couldn't reach the server");
});

it("says of each field what the server found wrong with it", () => {
  const error = new RequestError(400, "invalid_request", {
    fields: { name: "too_long", password: "required" },
  });
  expect(fieldMessages(error)).toEqual({ name: m.field_too_long(), password: m.field_required() });
  expect(fieldMessages(new Error("offline"))).toEqual({});
});
