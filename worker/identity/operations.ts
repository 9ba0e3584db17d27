import type * as z from "zod";
import * as attributes from "./attributes.ts";
import { respondToAuthChallenge } from "./challenges.ts";
import type { Pool } from "./context.ts";
import * as devices from "./devices.ts";
import { faults } from "./faults.ts";
import * as mfa from "./mfa.ts";
import * as passwords from "./passwords.ts";
import { parseRequest, requests, type OperationName } from "./requests.ts";
import { initiateAuth } from "./sign-in.ts";
import * as signUps from "./sign-up.ts";
import * as tokens from "./tokens.ts";
import type { Answer } from "./wire.ts";

type Operation = (body: unknown, pool: Pool) => Promise<Answer>;

function operation<Schema extends z.ZodType>(
  schema: Schema,
  run: (input: z.output<Schema>, pool: Pool) => Promise<Answer>,
): Operation {
  return (body, pool) => run(parseRequest(schema, body), pool);
}

/** Every call that the pool knows. It knows no admin calls. */
const operations: Record<OperationName, Operation> = {
  SignUp: operation(requests.SignUp, signUps.signUp),
  ConfirmSignUp: operation(requests.ConfirmSignUp, signUps.confirmSignUp),
  ResendConfirmationCode: operation(requests.ResendConfirmationCode, signUps.resendConfirmationCode),
  InitiateAuth: operation(requests.InitiateAuth, initiateAuth),
  RespondToAuthChallenge: operation(requests.RespondToAuthChallenge, respondToAuthChallenge),
  GetTokensFromRefreshToken: operation(requests.GetTokensFromRefreshToken, tokens.getTokensFromRefreshToken),
  RevokeToken: operation(requests.RevokeToken, tokens.revokeToken),
  ChangePassword: operation(requests.ChangePassword, passwords.changePassword),
  ForgotPassword: operation(requests.ForgotPassword, passwords.forgotPassword),
  ConfirmForgotPassword: operation(requests.ConfirmForgotPassword, passwords.confirmForgotPassword),
  GetUser: operation(requests.GetUser, attributes.getUser),
  UpdateUserAttributes: operation(requests.UpdateUserAttributes, attributes.updateUserAttributes),
  DeleteUserAttributes: operation(requests.DeleteUserAttributes, attributes.deleteUserAttributes),
  GetUserAttributeVerificationCode: operation(
    requests.GetUserAttributeVerificationCode,
    attributes.getUserAttributeVerificationCode,
  ),
  VerifyUserAttribute: operation(requests.VerifyUserAttribute, attributes.verifyUserAttribute),
  DeleteUser: operation(requests.DeleteUser, attributes.deleteUser),
  GlobalSignOut: operation(requests.GlobalSignOut, attributes.globalSignOut),
  ConfirmDevice: operation(requests.ConfirmDevice, devices.confirmDevice),
  UpdateDeviceStatus: operation(requests.UpdateDeviceStatus, devices.updateDeviceStatus),
  GetDevice: operation(requests.GetDevice, devices.getDevice),
  ListDevices: operation(requests.ListDevices, devices.listDevices),
  ForgetDevice: operation(requests.ForgetDevice, devices.forgetDevice),
  AssociateSoftwareToken: operation(requests.AssociateSoftwareToken, mfa.associateSoftwareToken),
  VerifySoftwareToken: operation(requests.VerifySoftwareToken, mfa.verifySoftwareToken),
  SetUserMFAPreference: operation(requests.SetUserMFAPreference, mfa.setUserMfaPreference),
};

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

/**
 * Runs the call that a request names.
 * @throws {Fault} what the client is told
 */
export async function callOperation(
  name: string | null,
  body: () => Promise<unknown>,
  pool: Pool,
): Promise<Answer> {
  if (name === null || !isOperation(name)) throw faults.unknownOperation();
  return operations[name](await body(), pool);
}
