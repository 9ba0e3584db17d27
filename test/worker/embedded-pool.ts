import { driverId as driverIdShape, type DriverId } from "../../db/shapes/units.ts";
import { DriverClient } from "../support/driver-client.ts";
import { deployment, apiTarget } from "./harness.ts";

export const PASSWORD = "Jornada-1-demo";

/** A deployment with the embedded user pool. */
export const embedded = deployment({ IDENTITY: "embedded" });

/** A user who registered and signed in at the embedded pool. */
export type Member = {
  phoneNumber: string;
  driverId: DriverId;
  accessToken: string;
  refreshToken: string;
  client: DriverClient;
};

/** Calls an operation of the pool. */
export async function callPool(
  operation: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }> {
  const response = await embedded.fetch(`${embedded.origin}/identity/`, {
    method: "POST",
    headers: { "x-amz-target": `AWSCognitoIdentityProviderService.${operation}`, ...headers },
    body: JSON.stringify({ ClientId: "jornadaweb", ...body }),
  });
  // workerd warns when a body of this protocol's content type is read as text.
  const text = new TextDecoder().decode(await response.arrayBuffer());
  return {
    status: response.status,
    body: text === "" ? {} : JSON.parse(text),
    headers: response.headers,
  };
}

export function newPhone(): string {
  return `+1555${String(Math.floor(Math.random() * 1e7)).padStart(7, "0")}`;
}

/** The code in the last text to a number. */
export async function textedCode(phoneNumber: string): Promise<string> {
  const texts = await apiTarget.fetch(
    `${apiTarget.origin}/sandbox/sms?to=${encodeURIComponent(phoneNumber)}`,
  );
  const { messages } = await texts.json<{ messages: { body: string }[] }>();
  return /\d{6}/.exec(messages[0]?.body ?? "")?.[0] ?? "";
}

/** Registers at the pool and confirms with the texted code. */
export async function signUpMember(phoneNumber = newPhone()): Promise<Member> {
  const { body } = await callPool("SignUp", { Username: phoneNumber, Password: PASSWORD });
  const ConfirmationCode = await textedCode(phoneNumber);
  await callPool("ConfirmSignUp", { Username: phoneNumber, ConfirmationCode });
  const { idToken, ...tokens } = await signInMember(phoneNumber);
  const client = new DriverClient({ ...embedded, token: idToken });
  return { phoneNumber, driverId: driverIdShape.parse(body["UserSub"]), ...tokens, client };
}

/** Signs in once more. */
export async function signInMember(
  phoneNumber: string,
  password = PASSWORD,
): Promise<{ idToken: string; accessToken: string; refreshToken: string }> {
  const { body } = await callPool("InitiateAuth", {
    AuthFlow: "USER_PASSWORD_AUTH",
    AuthParameters: { USERNAME: phoneNumber, PASSWORD: password },
  });
  const { IdToken, AccessToken, RefreshToken } = Object(body["AuthenticationResult"]);
  return {
    idToken: String(IdToken),
    accessToken: String(AccessToken),
    refreshToken: String(RefreshToken),
  };
}
