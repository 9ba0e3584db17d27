import { describe, expect, it } from "vitest";
import { isAboutNumber, isPermanent } from "../../../db/shapes/text-delivery.ts";
import { parseTextStatus, problemOf } from "../../../durable/messaging/sms.ts";
import { parseReply, isSignedByGateway } from "../../../worker/texts/gateway.ts";
import { segmentsOf, toPlainCharacters } from "../../../durable/texts/segments.ts";

describe("the gateway's word on a text", () => {
  it.each([
    [30003, "unreachable", true, false],
    [30004, "blocked", true, true],
    [30005, "unknown_number", true, true],
    [30006, "landline", true, true],
    [21614, "landline", true, true],
    [21211, "unknown_number", true, true],
    // A carrier that objects to our texts, a country that is switched off, a sender that isn't registered: not the number's.
    [30007, "filtered", false, false],
    [21408, "other", false, false],
    [21612, "other", false, false],
    [30034, "other", false, false],
    [99999, "other", false, false],
    [null, "other", false, false],
  ] as const)("code %s means %s", (code, problem, ofNumber, permanent) => {
    expect([problemOf(code), isAboutNumber(problem), isPermanent(problem)]).toEqual([
      problem,
      ofNumber,
      permanent,
    ]);
  });

  it.each([
    ["queued", "queued"],
    ["delivered", "delivered"],
    ["canceled", "canceled"],
    ["teleported", "other"],
    ["", "other"],
  ] as const)("'%s' is kept as %s", (word, status) => {
    expect(parseTextStatus(word)).toBe(status);
  });
});

describe("a text from a phone", () => {
  it.each([
    ["STOP", { kind: "stop", language: "en", isAnswered: true }],
    [" stop ", { kind: "stop", language: "en", isAnswered: true }],
    ["Unsubscribe", { kind: "stop", language: "en", isAnswered: true }],
    ["Stop.", { kind: "stop", language: "en", isAnswered: false }],
    ["stop texting me", { kind: "stop", language: "en", isAnswered: false }],
    ["opt-out", { kind: "stop", language: "en", isAnswered: false }],
    ["Parar", { kind: "stop", language: "es", isAnswered: false }],
    ["¡dar de baja!", { kind: "stop", language: "es", isAnswered: false }],
    ["no más", { kind: "stop", language: "es", isAnswered: false }],
    ["no, ... más!", { kind: "stop", language: "es", isAnswered: false }],
    ["opt - out", { kind: "stop", language: "en", isAnswered: false }],
    ["Please stop", { kind: "stop", language: "en", isAnswered: false }],
    ["pls STOP texting me", { kind: "stop", language: "en", isAnswered: false }],
    ["Stop, thanks", { kind: "stop", language: "en", isAnswered: false }],
    ["Remove me please 🙏", { kind: "stop", language: "en", isAnswered: false }],
    ["por favor, pare", { kind: "stop", language: "es", isAnswered: false }],
    ["Cancelar, gracias", { kind: "stop", language: "es", isAnswered: false }],
    ["Por favor sair, obrigado", { kind: "stop", language: "pt", isAnswered: false }],
    ["help please", { kind: "help", language: "en", isAnswered: false }],
    ["No more texts", { kind: "stop", language: "en", isAnswered: false }],
    ["No más mensajes por favor", { kind: "stop", language: "es", isAnswered: false }],
    ["não quero mais mensagens", { kind: "stop", language: "pt", isAnswered: false }],
    ["Don't text me", { kind: "stop", language: "en", isAnswered: false }],
    ["Sair", { kind: "stop", language: "pt", isAnswered: false }],
    ["START", { kind: "start", language: "en", isAnswered: true }],
    ["unstop", { kind: "start", language: "en", isAnswered: true }],
    ["volver", { kind: "start", language: "es", isAnswered: false }],
    ["Começar", { kind: "start", language: "pt", isAnswered: false }],
    ["HELP", { kind: "help", language: "en", isAnswered: true }],
    ["ayuda", { kind: "help", language: "es", isAnswered: false }],
    ["Ajuda?", { kind: "help", language: "pt", isAnswered: false }],
  ])("'%s' is understood", (body, reply) => {
    expect(parseReply(body)).toEqual(reply);
  });

  it.each([
    "",
    "👍",
    "thanks",
    "please",
    "please don't stop",
    "no more blocks today",
    "don't stop",
    "when does it start",
    "the help was great",
    "parada",
  ])("'%s' asks for nothing", (body) => {
    expect(parseReply(body)).toBeNull();
  });
});

describe("the length of a text", () => {
  it.each([
    ["a".repeat(160), { encoding: "gsm7", places: 160, segments: 1 }],
    ["a".repeat(161), { encoding: "gsm7", places: 161, segments: 2 }],
    ["é".repeat(160), { encoding: "gsm7", places: 160, segments: 1 }],
    ["€".repeat(80), { encoding: "gsm7", places: 160, segments: 1 }],
    ["€".repeat(81), { encoding: "gsm7", places: 162, segments: 2 }],
    ["í".repeat(70), { encoding: "ucs2", places: 70, segments: 1 }],
    ["í".repeat(71), { encoding: "ucs2", places: 71, segments: 2 }],
    ["í".repeat(135), { encoding: "ucs2", places: 135, segments: 3 }],
    ["😀".repeat(35), { encoding: "ucs2", places: 70, segments: 1 }],
  ])("is counted as phones do (%#)", (text, segments) => {
    expect(segmentsOf(text)).toEqual(segments);
  });

  it("is not doubled by the spaces that times and amounts have", () => {
    const text = "4:30\u202fPM, R$\u00a098 – don’t wait…";
    expect(toPlainCharacters(text)).toBe("4:30 PM, R$ 98 - don't wait...");
    expect(toPlainCharacters("até amanhã, ¿vale?")).toBe("até amanhã, ¿vale?");
  });
});

describe("the gateway's signature", () => {
  // From Twilio's documentation of its security.
  const form = new URLSearchParams([
    ["CallSid", "CA1234567890ABCDE"],
    ["From", "+12349013030"],
    ["Digits", "1234"],
    ["To", "+18005551212"],
    ["Caller", "+12349013030"],
  ]);
  const url = "https://mycompany.com/myapp.php?foo=1&bar=2";
  const signature = "0/KCTR6DLpKmkAf8muzZqo1nDgQ=";

  it("holds for the address and the fields, in any order", async () => {
    expect(await isSignedByGateway({ url, form, signature }, ["12345"])).toBe(true);
  });

  it.each([
    ["another token", { token: "12346" }],
    ["another address", { url: "https://mycompany.com/myapp.php?foo=1&bar=3" }],
    ["another field", { form: new URLSearchParams([...form, ["Extra", "1"]]) }],
    ["another value", { form: new URLSearchParams([...form].map(([name]) => [name, "1"])) }],
    ["a signature that is none", { signature: "%%%" }],
    ["no signature", { signature: "" }],
  ])("does not hold for %s", async (_what, change) => {
    const { token = "12345", ...rest } = { token: "12345", ...change };
    expect(await isSignedByGateway({ url, form, signature, ...rest }, [token])).toBe(false);
  });

  it("holds where the gateway writes the usual port", async () => {
    const key = await crypto.subtle.importKey(
      "raw",
      new TextEncoder().encode("12345"),
      { name: "HMAC", hash: "SHA-1" },
      false,
      ["sign"],
    );
    const signed = new TextEncoder().encode("https://jornada.test:443/webhooks/texts/incomingA1");
    const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, signed));
    const given = {
      url: "https://jornada.test/webhooks/texts/incoming",
      form: new URLSearchParams([["A", "1"]]),
      signature: btoa(String.fromCharCode(...mac)),
    };
    expect(await isSignedByGateway(given, ["12345"])).toBe(true);
  });
});
