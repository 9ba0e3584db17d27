import { createKeys, type Keys } from "../../durable/runtime/keys.ts";
import type { UserPool } from "../../worker/identity/user-pool.ts";
import { ENDPOINT, tokens, type Account, type Tokens } from "./harness.ts";

/** Calls an operation of any pool, as its clients don't: they know the harness's alone. */
export async function callPool(
  pool: UserPool,
  operation: string,
  body: object,
): Promise<Record<string, unknown>> {
  const headers = { "x-amz-target": `AWSCognitoIdentityProviderService.${operation}` };
  const request = new Request(ENDPOINT, { method: "POST", headers, body: JSON.stringify(body) });
  return JSON.parse(new TextDecoder().decode(await (await pool.handle(request)).arrayBuffer()) || "{}");
}

/** Signs in at any pool with the password flow, without a challenge. */
export async function signInAt(pool: UserPool, { phone, password }: Account): Promise<Tokens> {
  const AuthParameters = { USERNAME: phone, PASSWORD: password };
  const body = { ClientId: "jornadaweb", AuthFlow: "USER_PASSWORD_AUTH", AuthParameters };
  return tokens.parse((await callPool(pool, "InitiateAuth", body))["AuthenticationResult"]);
}

/** The master keys of a deployment, the one that seals first: `ba` is `a` after it was followed by `b`. */
export const masterKeys = (names: "a" | "ba" | "b"): Keys =>
  createKeys(Array.from(names, (name) => `${name}:${btoa(name.repeat(32))}`).join());
