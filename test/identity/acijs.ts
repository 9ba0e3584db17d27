import {
  AuthenticationDetails,
  CognitoUser,
  CognitoUserAttribute,
  CognitoUserPool,
  type CognitoUserSession,
  type ICognitoStorage,
  type ISignUpResult,
} from "amazon-cognito-identity-js";
import type { PoolHarness } from "./harness.ts";

/** A browser of its own: the storage of one client. */
export function newStorage(): ICognitoStorage {
  const items = new Map<string, string>();
  return {
    setItem: (key, value) => void items.set(key, value),
    getItem: (key) => items.get(key) ?? null,
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
  };
}

export function openClient(harness: PoolHarness, storage: ICognitoStorage = newStorage()) {
  const pool = new CognitoUserPool({
    UserPoolId: harness.poolId,
    ClientId: harness.clientId,
    endpoint: harness.endpoint,
    Storage: storage,
  });
  const userOf = (phone: string) => new CognitoUser({ Username: phone, Pool: pool, Storage: storage });
  return { pool, userOf, storage };
}

export type Client = ReturnType<typeof openClient>;

type NodeCallback<T> = (error: Error | null | undefined, result?: T | null) => void;

/** Waits for what a call with a callback says. */
export function promisify<T>(call: (callback: NodeCallback<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, result) => {
      if (error) reject(error);
      else if (result === undefined || result === null) reject(new Error("no result"));
      else resolve(result);
    });
  });
}

export function signUp(client: Client, phone: string, password: string): Promise<ISignUpResult> {
  const attributes = [
    new CognitoUserAttribute({ Name: "name", Value: "Ana Lima" }),
    new CognitoUserAttribute({ Name: "phone_number", Value: phone }),
  ];
  return promisify((callback) => client.pool.signUp(phone, password, attributes, [], callback));
}

/** What a step of a sign-in ends with. */
export type SignInStep =
  | { kind: "session"; session: CognitoUserSession; mustConfirmDevice: boolean }
  | { kind: "challenge"; name: string; parameters: Record<string, string> };

/** Callbacks for every way on, told as one promise. */
export function runSignInStep(
  start: (callbacks: ReturnType<typeof callbacksOf>) => void,
): Promise<SignInStep> {
  return new Promise((resolve, reject) => start(callbacksOf(resolve, reject)));
}

function callbacksOf(resolve: (step: SignInStep) => void, reject: (error: Error) => void) {
  const challenge = (name: string) => (given: unknown, more?: unknown) =>
    resolve({
      kind: "challenge",
      name,
      parameters: Object.fromEntries(
        Object.entries(Object(more ?? given)).map(([key, value]) => [key, String(value)]),
      ),
    });
  return {
    onSuccess: (session: CognitoUserSession, mustConfirmDevice = false) =>
      resolve({ kind: "session", session, mustConfirmDevice }),
    onFailure: reject,
    newPasswordRequired: challenge("NEW_PASSWORD_REQUIRED"),
    mfaRequired: challenge("SMS_MFA"),
    totpRequired: challenge("SOFTWARE_TOKEN_MFA"),
    selectMFAType: challenge("SELECT_MFA_TYPE"),
    mfaSetup: challenge("MFA_SETUP"),
    customChallenge: challenge("CUSTOM_CHALLENGE"),
  };
}

export type Flow = "USER_SRP_AUTH" | "USER_PASSWORD_AUTH" | "CUSTOM_AUTH";

/** Signs in; a step that asks for more is an answer too. */
export function authenticate(
  user: CognitoUser,
  { phone, password }: { phone: string; password: string },
  flow: Flow = "USER_SRP_AUTH",
): Promise<SignInStep> {
  user.setAuthenticationFlowType(flow);
  const details = new AuthenticationDetails({ Username: phone, Password: password });
  return runSignInStep((callbacks) => user.authenticateUser(details, callbacks));
}

/** Signs in to the end. */
export async function signIn(
  client: Client,
  account: { phone: string; password: string },
  flow: Flow = "USER_SRP_AUTH",
): Promise<{ user: CognitoUser; session: CognitoUserSession }> {
  const user = client.userOf(account.phone);
  const step = await authenticate(user, account, flow);
  if (step.kind !== "session") throw new Error(`asked for ${step.name}`);
  return { user, session: step.session };
}
