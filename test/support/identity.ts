import { randomUUID } from "node:crypto";
import {
  AuthenticationDetails,
  CognitoUser,
  CognitoUserAttribute,
  CognitoUserPool,
} from "amazon-cognito-identity-js";
import type { PublicConfig } from "../../worker/contract/status.ts";

export type Account = { phoneNumber: string; password: string; name: string };

/** The deployment's user pool, as the page's client library sees it. */
export async function openUserPool(origin: string): Promise<CognitoUserPool> {
  const answer = await fetch(`${origin}/status/config`);
  const { identity } = (await answer.json()) as PublicConfig;
  const endpoint = new URL(identity.endpoint, origin).href;
  return new CognitoUserPool({ UserPoolId: identity.poolId, ClientId: identity.clientId, endpoint });
}

/** Signs up with a phone number and confirms with the code from the text. */
export async function registerAccount(
  pool: CognitoUserPool,
  { phoneNumber, password, name }: Account,
  readText: () => Promise<string>,
): Promise<void> {
  const attributes = [
    new CognitoUserAttribute({ Name: "name", Value: name }),
    new CognitoUserAttribute({ Name: "phone_number", Value: phoneNumber }),
  ];
  await promisify((done) => pool.signUp(phoneNumber, password, attributes, [], done));
  const code = /\d{6}/.exec(await readText())?.[0] ?? "";
  const user = new CognitoUser({ Username: phoneNumber, Pool: pool });
  await promisify((done) => user.confirmRegistration(code, true, done));
}

/** Registers an account and signs it in with the session of its confirmation, as the page does. @returns its id token */
export async function registerBySession(
  origin: string,
  { phoneNumber, password, name }: Account,
  readText: () => Promise<string>,
): Promise<string> {
  const answer = await fetch(`${origin}/status/config`);
  const { identity } = (await answer.json()) as PublicConfig;
  const call = async <Answer>(operation: string, body: object): Promise<Answer> => {
    const response = await fetch(new URL(identity.endpoint, origin), {
      method: "POST",
      headers: {
        "content-type": "application/x-amz-json-1.1",
        "x-amz-target": `AWSCognitoIdentityProviderService.${operation}`,
      },
      body: JSON.stringify({ ClientId: identity.clientId, ...body }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${operation}: ${response.status} ${text}`);
    return JSON.parse(text) as Answer;
  };
  const ClientMetadata = { registration: randomUUID() };
  await call("SignUp", {
    Username: phoneNumber,
    Password: password,
    UserAttributes: [{ Name: "name", Value: name }],
    ClientMetadata,
  });
  const ConfirmationCode = /\d{6}/.exec(await readText())?.[0] ?? "";
  const { Session } = await call<{ Session: string }>("ConfirmSignUp", {
    Username: phoneNumber,
    ConfirmationCode,
    ClientMetadata,
  });
  const { AuthenticationResult } = await call<{ AuthenticationResult: { IdToken: string } }>("InitiateAuth", {
    AuthFlow: "USER_AUTH",
    AuthParameters: { USERNAME: phoneNumber },
    Session,
  });
  return AuthenticationResult.IdToken;
}

/** Signs in by SRP. Returns the user with its session, and the id token. */
export async function signInBySrp(
  pool: CognitoUserPool,
  { phoneNumber, password }: Omit<Account, "name">,
): Promise<{ user: CognitoUser; idToken: string }> {
  const user = new CognitoUser({ Username: phoneNumber, Pool: pool });
  const details = new AuthenticationDetails({ Username: phoneNumber, Password: password });
  const idToken = await new Promise<string>((resolve, reject) => {
    user.authenticateUser(details, {
      onSuccess: (session) => resolve(session.getIdToken().getJwtToken()),
      onFailure: reject,
    });
  });
  return { user, idToken };
}

/** Promisifies a callback of the identity library. */
export function promisify<T>(
  call: (done: (error: Error | undefined | null, result?: T) => void) => void,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => call((error, result) => (error ? reject(error) : resolve(result))));
}

/** The newest text that the sandbox received for a number; empty if there is none. */
export async function lastText(origin: string, phoneNumber: string): Promise<string> {
  const answer = await fetch(`${origin}/sandbox/sms?to=${encodeURIComponent(phoneNumber)}`);
  const { messages } = (await answer.json()) as { messages: { body: string }[] };
  return messages[0]?.body ?? "";
}

/**
 * The newest code that was texted to a number; empty if there is none. News of the account, which have links, may come
 * after it.
 */
export async function lastCode(origin: string, phoneNumber: string): Promise<string> {
  const answer = await fetch(`${origin}/sandbox/sms?to=${encodeURIComponent(phoneNumber)}`);
  const { messages } = (await answer.json()) as { messages: { body: string }[] };
  const text = messages.find(({ body }) => !body.includes("://") && /\d{6}/.test(body));
  return /\d{6,}/.exec(text?.body ?? "")?.[0] ?? "";
}
