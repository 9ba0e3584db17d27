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

/** The storage of a separate browser. */
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

/** Turns a call with a Node-style callback into a promise. */
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

/** The result of a sign-in step. */
export type SignInStep =
  | { kind: "session"; session: CognitoUserSession }
  | { kind: "challenge"; name: string; parameters: Record<string, string> };

/** Runs a sign-in step with all of its callbacks as one promise. */
export function runSignInStep(
  start: (callbacks: ReturnType<typeof callbacksOf>) => void,
): Promise<SignInStep> {
  return new Promise((resolve, reject) => start(callbacksOf(resolve, reject)));
}

function callbacksOf(resolve: (step: SignInStep) => void, reject: (error: Error) => void) {
  const challenge = (name: string) => (first: unknown, second?: unknown) =>
    resolve({
      kind: "challenge",
      name,
      parameters: Object.fromEntries(
        Object.entries(Object(second ?? first)).map(([key, value]) => [key, String(value)]),
      ),
    });
  return {
    onSuccess: (session: CognitoUserSession) => resolve({ kind: "session", session }),
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

/** Starts a sign-in, which may result in a challenge. */
export function authenticate(
  user: CognitoUser,
  { phone, password }: { phone: string; password: string },
  flow: Flow = "USER_SRP_AUTH",
): Promise<SignInStep> {
  user.setAuthenticationFlowType(flow);
  const details = new AuthenticationDetails({ Username: phone, Password: password });
  return runSignInStep((callbacks) => user.authenticateUser(details, callbacks));
}

/** Signs in without a challenge. */
export async function signIn(
  client: Client,
  account: { phone: string; password: string },
  flow: Flow = "USER_SRP_AUTH",
): Promise<{ user: CognitoUser; session: CognitoUserSession }> {
  const user = client.userOf(account.phone);
  const step = await authenticate(user, account, flow);
  if (step.kind !== "session") throw new Error(`got the challenge ${step.name}`);
  return { user, session: step.session };
}
