import { expect, it } from "vitest";
import { redact } from "../../../worker/routes/error-reports.ts";

it.each([
  ["a token", "sent eyJhbGci-O_x.pay_load-1.sig-2 twice", "sent [token] twice"],
  ["a token without its other parts", "eyJhbGci, and eyJ0eXAi.", "[token], and [token]"],
  ["a header", "Authorization: BEARER \t s3cr3t!, then", "Authorization: [token] then"],
  ["each assignment", "token=abc&Ticket=d-e;next=1", "token=[secret]&Ticket=[secret];next=1"],
  [
    "what ends with such a name",
    "refreshToken=abc my_secret=1 newPassword=x",
    "refreshToken=[secret] my_secret=[secret] newPassword=[secret]",
  ],
  [
    "a field of JSON",
    `{"password": "p w", "code" : 12, 'secret':'x'}`,
    `{"password": "[secret] w", "code" : [secret], 'secret':'[secret]'}`,
  ],
  ["an address", "for ana.maria+x%1-y@mail-1.example.co.uk, or b@c.de", "for [email], or [email]"],
  [
    "32 letters that may be a key",
    `k${"-_a9".repeat(8)}z and ${"a".repeat(31)}`,
    `[token] and ${"a".repeat(31)}`,
  ],
  [
    "a phone number",
    "+15550100100 (555) 010-0100 555.010.0100 555 010 0100 5550100100",
    "[number] [number] [number] [number] [number]",
  ],
  [
    "a number with its country",
    "+1 (555) 010-0100, +593-555-010-0100, 1 555 010 0100",
    "[number], [number], [number]",
  ],
  ["a code", "code is 123456, not 12345", "code is [number], not 12345"],
  [
    "nothing of a plain sentence",
    "A monkeyJar of forbearer tokens: 2 @ 3.5 (12-34)",
    "A monkeyJar of forbearer tokens: 2 @ 3.5 (12-34)",
  ],
])("masks %s", (_what, text, redacted) => {
  expect(redact(text)).toBe(redacted);
});
