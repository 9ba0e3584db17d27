import type * as z from "zod";
import * as attributes from "../accounts/attributes.ts";
import { respondToAuthChallenge } from "../sign-in/challenges.ts";
import type { PoolContext } from "../pool-context.ts";
import * as devices from "../devices/devices.ts";
import { cognitoErrors } from "./errors.ts";
import * as mfa from "../mfa/mfa.ts";
import * as passwords from "../accounts/passwords.ts";
import { parseRequest, requests, type OperationName } from "./requests.ts";
import { initiateAuth } from "../sign-in/initiate-auth.ts";
import * as signUps from "../accounts/sign-up.ts";
import * as tokens from "../tokens/tokens.ts";
import type { OperationResponse } from "./wire.ts";

type Operation = (body: unknown, pool: PoolContext) => Promise<OperationResponse>;

function defineOperation<Schema extends z.ZodType>(
  schema: Schema,
  run: (input: z.output<Schema>, pool: PoolContext) => Promise<OperationResponse>,
): Operation {
  return (body, pool) => run(parseRequest(schema, body), pool);
}

/** Every call that the pool knows. It knows no admin calls. */
const operations: Record<OperationName, Operation> = {
  SignUp: defineOperation(requests.SignUp, signUps.signUpOperation),
  ConfirmSignUp: defineOperation(requests.ConfirmSignUp, signUps.confirmSignUpOperation),
  ResendConfirmationCode: defineOperation(requests.ResendConfirmationCode, signUps.resendConfirmationCode),
  InitiateAuth: defineOperation(requests.InitiateAuth, initiateAuth),
  RespondToAuthChallenge: defineOperation(requests.RespondToAuthChallenge, respondToAuthChallenge),
  GetTokensFromRefreshToken: defineOperation(
    requests.GetTokensFromRefreshToken,
    tokens.getTokensFromRefreshToken,
  ),
  RevokeToken: defineOperation(requests.RevokeToken, tokens.revokeToken),
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
  DeleteUser: defineOperation(requests.DeleteUser, attributes.deleteUser),
  GlobalSignOut: defineOperation(requests.GlobalSignOut, attributes.globalSignOut),
  ConfirmDevice: defineOperation(requests.ConfirmDevice, devices.confirmDevice),
  UpdateDeviceStatus: defineOperation(requests.UpdateDeviceStatus, devices.updateDeviceStatus),
  GetDevice: defineOperation(requests.GetDevice, devices.getDevice),
  ListDevices: defineOperation(requests.ListDevices, devices.listDevices),
  ForgetDevice: defineOperation(requests.ForgetDevice, devices.forgetDevice),
  AssociateSoftwareToken: defineOperation(requests.AssociateSoftwareToken, mfa.associateSoftwareToken),
  VerifySoftwareToken: defineOperation(requests.VerifySoftwareToken, mfa.verifySoftwareToken),
  SetUserMFAPreference: defineOperation(requests.SetUserMFAPreference, mfa.setUserMfaPreference),
};

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

/**
 * Runs the call that a request names.
 * @throws {Fault} what the client is told
 */
export async function runOperation(
  name: string | null,
  body: () => Promise<unknown>,
  pool: PoolContext,
): Promise<OperationResponse> {
  if (name === null || !isOperation(name)) throw cognitoErrors.unknownOperation();
  return operations[name](await body(), pool);
}
