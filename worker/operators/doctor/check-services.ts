import * as z from "zod/mini";
import { createECDH } from "node:crypto";
import { findingsOf, type Check, ask, describeResponse, read } from "./means.ts";

const CONFORM = "test/platform/conform/main.ts";
/** With an account, it waits for an approval and an offer. */
const LIMIT_MS = 30_000;
const ACCOUNT_LIMIT_MS = 180_000;

/** Whether the platform keeps its contract, as the conform program finds it: without an account, how it refuses. */
export const checkPlatform: Check = async (means) => {
  const { config, run, platformEmail } = means;
  const { right, wrong, unasked } = findingsOf("platform");
  if (config.isBroken("capture")) return [unasked("its settings are not sound")];
  // Nobody's contract is broken where nobody answers: any answer will do.
  const asked = await ask(means, config.platform.url);
  if (asked.status === null)
    return [wrong(`it ${asked.why}: look at PLATFORM_URL and at the platform's own status`)];
  const limitMs = platformEmail === null ? LIMIT_MS : ACCOUNT_LIMIT_MS;
  const account = platformEmail === null ? [] : ["--email", platformEmail];
  const { code, output } = await run([CONFORM, "--url", config.platform.url, ...account], limitMs);
  const told = output.split("\n").map((line) => /^(kept|differs|harms) +(.+)$/.exec(line) ?? []);
  const found = told.flatMap(([, verdict, what]) => (verdict && what ? [{ verdict, what }] : []));
  const of = (wanted: string) => found.filter(({ verdict }) => verdict === wanted);
  if (code === null || found.length === 0)
    return [
      wrong(
        `it gave no answer in ${limitMs / 1000} s: look at PLATFORM_URL and at the platform's own status`,
      ),
    ];
  const scope = platformEmail === null ? "without an account" : "with an account";
  return [
    ...of("harms").map(({ what }) => wrong(`${what} Show it to the platform's operators`)),
    ...of("differs").map(({ what }) =>
      wrong(`it differs from its contract: ${what} Show it to the platform's operators`),
    ),
    ...(of("harms").length + of("differs").length === 0
      ? [right(`it keeps its contract in all ${found.length} points that were tried ${scope}`)]
      : []),
  ];
};

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

/** An address of the public Internet: Apple's push service refuses each message of any other contact. */
const PUBLIC_CONTACT =
  /^(mailto:[^\s@]+@|https:\/\/)(?!.*\.(local|localhost)\b)([\w-]+\.)+[a-z][a-z0-9-]+([/:?#]\S*)?$/i;

/** Whether the two keys of browser notifications are a pair, and whether their contact is one to every push service. */
export const checkNotifications: Check = async ({ config: { vapid } }) => {
  const { right, wrong, unasked } = findingsOf("notifications");
  if (!vapid) return [unasked("VAPID's keys aren't all at hand")];
  return [
    publicKeyOf(vapid.privateKey) === vapid.publicKey
      ? right("VAPID's keys are a pair")
      : wrong(
          "VAPID's keys are no pair, so push services refuse every notification: put both from one run of the handbook's command",
        ),
    ...(PUBLIC_CONTACT.test(vapid.subject)
      ? []
      : [
          wrong(
            "Apple's push service doesn't take VAPID_SUBJECT, so no iPhone gets a notification: put a mailto: or https: address of a public domain",
          ),
        ]),
  ];
};

/** The public key of a private one; null if it is none. */
function publicKeyOf(privateKey: string): string | null {
  try {
    const pair = createECDH("prime256v1");
    pair.setPrivateKey(privateKey, "base64url");
    return pair.getPublicKey("base64url");
  } catch {
    return null;
  }
}

const labels = z.object({ payload: z.array(z.object({ title: z.string() })) });

/** Chatwoot's token, and the label that conversations get. */
export const checkChat: Check = async (means) => {
  const { right, wrong, unasked } = findingsOf("chat");
  const { chat, productName } = means.config;
  if (!chat) return [unasked("Chatwoot's settings aren't all at hand: there is no chat")];
  if (!chat.api)
    return [
      unasked(
        "without CHATWOOT_ACCOUNT_ID and CHATWOOT_API_TOKEN nobody can look, and deleted accounts keep their contact",
      ),
    ];
  const asked = await ask(means, `${chat.url}/api/v1/accounts/${chat.api.accountId}/labels`, {
    headers: { api_access_token: chat.api.apiToken },
  });
  if (asked.status === 401 || asked.status === 404)
    return [wrong("Chatwoot doesn't know CHATWOOT_API_TOKEN in CHATWOOT_ACCOUNT_ID: put an administrator's")];
  const listed = asked.status === 200 ? read(labels, asked.body) : null;
  if (!listed) return [wrong(`Chatwoot ${describeResponse(asked)}: look at CHATWOOT_URL and at the server`)];
  const wanted = productName.toLowerCase();
  return [
    right("Chatwoot knows the token"),
    listed.payload.some(({ title }) => title === wanted)
      ? right(`it has the label ${wanted}`)
      : wrong(`it lacks the label ${wanted}, and drops it from conversations: make it in Settings, Labels`),
  ];
};
