/**
 * Makes `worker/identity/accounts/common-passwords.ts` from a list of the commonest passwords:
 * `npm pack @zxcvbn-ts/language-common@4.1.3`, unpacked, then
 * `node test/dev/common-passwords.ts package/src/passwords.json`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";
import * as z from "zod";
import { makeFilter, MIN_WORD_LENGTH } from "../../worker/identity/accounts/common-password-filter.ts";

const list = z.array(z.string()).parse(JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")));
const texts = [...new Set(list.map((text) => text.toLowerCase()))].filter(
  // A password of eight characters or more that comes from none can't be found.
  (text) => text.length >= MIN_WORD_LENGTH && (/^[a-z]+$/.test(text) || text.length >= 6),
);
const { bits, hashes } = makeFilter(texts);
const target = fileURLToPath(new URL("../../worker/identity/accounts/common-passwords.ts", import.meta.url));
writeFileSync(
  target,
  `/**
 * A filter of the ${texts.length} commonest passwords, made by test/dev/common-passwords.ts from
 * @zxcvbn-ts/language-common 4.1.3 (MIT, Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc., 2021 @zxcvbn-ts).
 */
export const COMMON_PASSWORDS = {
  hashes: ${hashes},
  base64:
    "${Buffer.from(bits).toString("base64")}",
};
`,
);
