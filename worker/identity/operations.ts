import type * as z from "zod";
import * as accounts from "./accounts/accounts.ts";
import * as attributes from "./accounts/attributes.ts";
import * as passwords from "./accounts/passwords.ts";
import * as signUps from "./accounts/sign-up.ts";
import * as secondFactors from "./mfa/second-factors.ts";
import type { PoolContext } from "./pool-context.ts";
import { cognitoErrors } from "./protocol/errors.ts";
import { parseRequest, requests, type OperationInput, type OperationName } from "./protocol/requests.ts";
import type { OperationResponse } from "./protocol/wire.ts";
import { confirmSignUpOperation } from "./sign-in/after-sign-up.ts";
import { respondToAuthChallenge } from "./sign-in/challenges.ts";
import { initiateAuth } from "./sign-in/initiate-auth.ts";
import { requireBearer } from "./tokens/bearer.ts";
import { getTokensFromRefreshToken } from "./tokens/refresh.ts";
import * as tokens from "./tokens/tokens.ts";

type Operation = (body: unknown, pool: PoolContext) => Promise<OperationResponse>;

function defineOperation<Schema extends z.ZodType>(
  schema: Schema,
  run: (input: z.output<Schema>, pool: PoolContext) => Promise<OperationResponse>,
): Operation {
  return (body, pool) => run(parseRequest(schema, body), pool);
}

/** Every operation of the pool. Admin operations aren't implemented. */
const operations: Record<OperationName, Operation> = {
  SignUp: defineOperation(requests.SignUp, signUps.signUpOperation),
  ConfirmSignUp: defineOperation(requests.ConfirmSignUp, confirmSignUpOperation),
  ResendConfirmationCode: defineOperation(requests.ResendConfirmationCode, signUps.resendConfirmationCode),
  InitiateAuth: defineOperation(requests.InitiateAuth, initiateAuth),
  RespondToAuthChallenge: defineOperation(requests.RespondToAuthChallenge, respondToAuthChallenge),
  GetTokensFromRefreshToken: defineOperation(requests.GetTokensFromRefreshToken, getTokensFromRefreshToken),
  RevokeToken: defineOperation(requests.RevokeToken, tokens.revokeToken),
  GlobalSignOut: defineOperation(requests.GlobalSignOut, tokens.globalSignOut),
  ChangePassword: defineOperation(requests.ChangePassword, passwords.changePasswordOperation),
  ForgotPassword: defineOperation(requests.ForgotPassword, passwords.forgotPasswordOperation),
  ConfirmForgotPassword: defineOperation(
    requests.ConfirmForgotPassword,
    passwords.confirmForgotPasswordOperation,
  ),
  GetUser: defineOperation(requests.GetUser, attributes.getUser),
  UpdateUserAttributes: defineOperation(requests.UpdateUserAttributes, attributes.updateUserAttributes),
  DeleteUserAttributes: defineOperation(requests.DeleteUserAttributes, attributes.deleteUserAttributes),
  GetUserAttributeVerificationCode: defineOperation(
    requests.GetUserAttributeVerificationCode,
    attributes.getUserAttributeVerificationCode,
  ),
  VerifyUserAttribute: defineOperation(requests.VerifyUserAttribute, attributes.verifyUserAttribute),
  DeleteUser: defineOperation(requests.DeleteUser, accounts.deleteUser),
  AssociateSoftwareToken: defineOperation(
    requests.AssociateSoftwareToken,
    secondFactors.associateSoftwareToken,
  ),
  VerifySoftwareToken: defineOperation(requests.VerifySoftwareToken, secondFactors.verifySoftwareToken),
  SetUserMFAPreference: defineOperation(requests.SetUserMFAPreference, secondFactors.setUserMfaPreference),
  ConfirmDevice: defineOperation(requests.ConfirmDevice, refuseDeviceOperation),
  UpdateDeviceStatus: defineOperation(requests.UpdateDeviceStatus, refuseDeviceOperation),
  GetDevice: defineOperation(requests.GetDevice, refuseDeviceOperation),
  ListDevices: defineOperation(requests.ListDevices, refuseDeviceOperation),
  ForgetDevice: defineOperation(requests.ForgetDevice, refuseDeviceOperation),
};

/** The pool doesn't track devices. It answers like a Cognito pool with device tracking turned off. */
async function refuseDeviceOperation(
  input: OperationInput<"GetDevice">,
  pool: PoolContext,
): Promise<OperationResponse> {
  await requireBearer(pool, input.AccessToken);
  throw cognitoErrors.deviceTrackingOff();
}

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

/**
 * Runs the operation that a request names.
 * @throws {CognitoError} the error to send to the client
 */
export async function runOperation(
  name: string | null,
  body: () => Promise<unknown>,
  pool: PoolContext,
): Promise<OperationResponse> {
  if (name === null || !isOperation(name)) throw cognitoErrors.unknownOperation();
  return operations[name](await body(), pool);
}
