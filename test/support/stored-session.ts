import type { Page } from "playwright-core";
import type { PublicConfig } from "../../worker/contract/status.ts";
import { ISSUER, postJson, type DriverIdentity } from "./sandbox-client.ts";
import { DEMO_SETTINGS } from "./settings.ts";

/** Items of a page's local storage. */
export type StoredItems = Readonly<Record<string, string>>;

type Tokens = { idToken: string; accessToken: string; refreshToken?: string };

/** The session of a driver at the sandbox's user pool, as the page stores it. */
export async function sandboxSession(
  origin: string,
  { driverId, phoneNumber }: DriverIdentity,
): Promise<StoredItems> {
  const clientId = DEMO_SETTINGS.COGNITO_CLIENT_ID;
  const order = { sub: driverId, phoneNumber, clientId, issuer: ISSUER, expiresIn: 43_200 };
  const tokens = await postJson<Tokens>({ fetch, origin }, "/sandbox/identity/token", order);
  return toItems(clientId, driverId, tokens);
}

/**
 * A session of an account in the embedded user pool, as of a given browser: by the password itself, without the proof
 * that costs a page a second.
 */
export async function poolSession(
  origin: string,
  { phoneNumber, password }: { phoneNumber: string; password: string },
  userAgent = "node",
): Promise<{ items: StoredItems; idToken: string }> {
  const config = await fetch(`${origin}/status/config`);
  const { identity } = (await config.json()) as PublicConfig;
  const response = await fetch(new URL(identity.endpoint, origin), {
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.1",
      "user-agent": userAgent,
      "x-amz-target": "AWSCognitoIdentityProviderService.InitiateAuth",
    },
    body: JSON.stringify({
      ClientId: identity.clientId,
      AuthFlow: "USER_PASSWORD_AUTH",
      AuthParameters: { USERNAME: phoneNumber, PASSWORD: password },
    }),
  });
  if (!response.ok) throw new Error(await response.text());
  const { AuthenticationResult: granted } = (await response.json()) as {
    AuthenticationResult: { IdToken: string; AccessToken: string; RefreshToken: string };
  };
  const tokens = {
    idToken: granted.IdToken,
    accessToken: granted.AccessToken,
    refreshToken: granted.RefreshToken,
  };
  return { items: toItems(identity.clientId, subjectOf(tokens.idToken), tokens), idToken: tokens.idToken };
}

/** How a page's browser names itself, by which a device is listed. */
export const agentOf = (page: Page) => page.evaluate(() => navigator.userAgent);

/** Loads an address in a page that finds the items stored, once. */
export async function gotoWith(page: Page, address: string, items: StoredItems): Promise<void> {
  const restored = await storeAtEachLoad(page, new URL(address).origin, items);
  await page.goto(address);
  await restored.dispose();
}

/** Stores the items before each load of the page, until it is disposed. */
export function storeAtEachLoad(page: Page, origin: string, items: StoredItems) {
  return page.addInitScript(restore, { origin, items });
}

/** Runs before the page's own scripts, and in its frames, which it leaves alone. */
function restore(stored: { origin: string; items: StoredItems }): void {
  if (location.origin !== stored.origin || window !== top) return;
  for (const [name, value] of Object.entries(stored.items)) localStorage.setItem(name, value);
}

function toItems(clientId: string, sub: string, tokens: Tokens): StoredItems {
  const prefix = `CognitoIdentityServiceProvider.${clientId}`;
  const items = Object.entries(tokens).map(([name, token]) => [`${prefix}.${sub}.${name}`, token]);
  return { ...Object.fromEntries(items), [`${prefix}.LastAuthUser`]: sub };
}

function subjectOf(token: string): string {
  const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as {
    sub: string;
  };
  return claims.sub;
}
