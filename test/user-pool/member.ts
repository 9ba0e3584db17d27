import * as z from "zod";
import type { PoolDeps } from "../../worker/identity/pool-context.ts";
import { openPool, PASSWORD, PHONE } from "./pool-harness.ts";

const tokens = z.object({ AccessToken: z.string(), IdToken: z.string(), RefreshToken: z.string() });

// Registering takes a verifier and signing in takes two key pairs, which is most of a test's time: made once per file.
const first = openPool();
const sub = await first.register();
const signIn = { AuthFlow: "USER_PASSWORD_AUTH", AuthParameters: { USERNAME: PHONE, PASSWORD } };
const { answer } = await first.call("InitiateAuth", signIn);
const issued = tokens.parse(answer["AuthenticationResult"]);
const image = first.image();

/** A pool with second factors in which somebody has registered and signed in just now. */
export function openMember(change: Partial<PoolDeps> = {}) {
  const at = openPool({ settings: { secondFactors: true }, ...change }, image);
  const { AccessToken } = issued;
  return {
    ...at,
    ...issued,
    sub,
    /** Calls an operation with the member's access token. @returns the answer, or type and message of the error */
    async ask(operation: string, body: object = {}): Promise<Record<string, unknown> | string> {
      const { status, answer: said } = await at.call(operation, { AccessToken, ...body });
      return status === 200 ? said : `${said["__type"]}: ${said["message"]}`;
    },
    /** Begins to sign in with the password. */
    async signIn(password = PASSWORD, Username = PHONE): Promise<Record<string, unknown>> {
      const parameters = { USERNAME: Username, PASSWORD: password };
      return (await at.call("InitiateAuth", { AuthFlow: "USER_PASSWORD_AUTH", AuthParameters: parameters }))
        .answer;
    },
    /** Answers a challenge. */
    async respond(
      { ChallengeName, Session }: Record<string, unknown>,
      ChallengeResponses: Record<string, string>,
    ): Promise<Record<string, unknown>> {
      const responses = { USERNAME: PHONE, ...ChallengeResponses };
      return (
        await at.call("RespondToAuthChallenge", { ChallengeName, Session, ChallengeResponses: responses })
      ).answer;
    },
    /** The account as it is stored. */
    row: () => at.rows(`SELECT * FROM pool_users WHERE id = ?`, sub)[0],
  };
}

export type Member = ReturnType<typeof openMember>;
