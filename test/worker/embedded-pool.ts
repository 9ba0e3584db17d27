import { DriverClient } from "../support/driver-client.ts";
import { deployment, apiTarget } from "./harness.ts";

export const PASSWORD = "Jornada-1-demo";

/** A deployment with the embedded user pool. */
export const embedded = deployment({ IDENTITY: "embedded" });

/** A user who registered and signed in at the embedded pool. */
export type Member = { phoneNumber: string; accessToken: string; client: DriverClient };

/** Calls an operation of the pool. */
export async function callPool(
  operation: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await embedded.fetch(`${embedded.origin}/identity/`, {
    method: "POST",
    headers: { "x-amz-target": `AWSCognitoIdentityProviderService.${operation}`, ...headers },
    body: JSON.stringify({ ClientId: "jornadaweb", ...body }),
  });
  // workerd warns when a body of this protocol's content type is read as text.
  const text = new TextDecoder().decode(await response.arrayBuffer());
  return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
}

export function newPhone(): string {
  return `+1555${String(Math.floor(Math.random() * 1e7)).padStart(7, "0")}`;
}

/** Registers at the pool and confirms with the texted code. */
export async function signUpMember(): Promise<Member> {
  const phoneNumber = newPhone();
  await callPool("SignUp", { Username: phoneNumber, Password: PASSWORD });
  const texts = await apiTarget.fetch(
    `${apiTarget.origin}/sandbox/sms?to=${encodeURIComponent(phoneNumber)}`,
  );
  const { messages } = await texts.json<{ messages: { body: string }[] }>();
  const ConfirmationCode = /\d{6}/.exec(messages[0]?.body ?? "")?.[0] ?? "";
  await callPool("ConfirmSignUp", { Username: phoneNumber, ConfirmationCode });
  const { idToken, accessToken } = await signInMember(phoneNumber);
  return { phoneNumber, accessToken, client: new DriverClient({ ...embedded, token: idToken }) };
}

/** Signs in once more. */
export async function signInMember(phoneNumber: string): Promise<{ idToken: string; accessToken: string }> {
  const { body } = await callPool("InitiateAuth", {
    AuthFlow: "USER_PASSWORD_AUTH",
    AuthParameters: { USERNAME: phoneNumber, PASSWORD },
  });
  const { IdToken, AccessToken } = Object(body["AuthenticationResult"]);
  return { idToken: String(IdToken), accessToken: String(AccessToken) };
}
