import {
  bindSessionToDevice,
  updatePoolDevice,
  deletePoolDevice,
  findPoolDevice,
  listPoolDevices,
  type PoolDevice,
} from "../../../db/queries/identity-devices.ts";
import { sealVerifier } from "../accounts/accounts.ts";
import { requireBearer, type Bearer } from "../tokens/bearer.ts";
import { decodeBase64 } from "../bytes.ts";
import type { PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import { clearLivenessCache } from "../tokens/liveness.ts";
import type { OperationInput } from "../protocol/requests.ts";
import { precompute, N, toInteger } from "../sign-in/srp.ts";

const PAGE_SIZE = 60;

/** A device as the protocol tells it; instants in seconds. */
type DeviceResponse = {
  DeviceKey: string;
  DeviceAttributes: { Name: string; Value: string }[];
  DeviceCreateDate: number;
  DeviceLastModifiedDate: number;
  DeviceLastAuthenticatedDate: number;
};

function toDeviceResponse(device: PoolDevice): DeviceResponse {
  return {
    DeviceKey: device.deviceKey,
    DeviceAttributes: [
      { Name: "device_status", Value: "valid" },
      ...(device.name === null ? [] : [{ Name: "device_name", Value: device.name }]),
      { Name: "dev:device_remembered_status", Value: device.remembered ? "remembered" : "not_remembered" },
    ],
    DeviceCreateDate: device.createdAt / 1000,
    DeviceLastModifiedDate: device.modifiedAt / 1000,
    DeviceLastAuthenticatedDate: device.authenticatedAt / 1000,
  };
}

async function requireDevice(
  pool: PoolContext,
  { AccessToken, DeviceKey }: OperationInput<"GetDevice">,
): Promise<Bearer & { device: PoolDevice }> {
  const bearer = await requireBearer(pool, AccessToken);
  const device = await findPoolDevice(pool.db, { userId: bearer.user.id, deviceKey: DeviceKey });
  if (!device) throw cognitoErrors.unknownDevice();
  return { ...bearer, device };
}

/** ConfirmDevice: the device that was offered at the sign-in gets its verifier. From now on refreshes must name it. */
export async function confirmDevice(
  input: OperationInput<"ConfirmDevice">,
  pool: PoolContext,
): Promise<object> {
  const { device, originJti } = await requireDevice(pool, input);
  if (pool.settings.devices === "off") throw cognitoErrors.devicesOff();
  const salt = decodeBase64(input.DeviceSecretVerifierConfig.Salt);
  const verifier = decodeBase64(input.DeviceSecretVerifierConfig.PasswordVerifier);
  if (!salt || !verifier || toInteger(verifier) % N === 0n) {
    throw cognitoErrors.invalidParameter("Invalid device secret verifier.");
  }
  const secrets = precompute({ salt: toInteger(salt), verifier: toInteger(verifier) % N });
  const remembered = pool.settings.devices === "always";
  await updatePoolDevice(pool.db, device.deviceKey, {
    password: await sealVerifier(pool, device.deviceKey, secrets),
    name: input.DeviceName ?? null,
    remembered,
    modifiedAt: pool.now(),
  });
  await bindSessionToDevice(pool.db, { originJti, deviceKey: device.deviceKey });
  return { UserConfirmationNecessary: !remembered };
}

/** UpdateDeviceStatus: whether the device stands for the second factor. */
export async function updateDeviceStatus(
  input: OperationInput<"UpdateDeviceStatus">,
  pool: PoolContext,
): Promise<object> {
  const { device } = await requireDevice(pool, input);
  const remembered = input.DeviceRememberedStatus === "remembered";
  await updatePoolDevice(pool.db, device.deviceKey, { remembered, modifiedAt: pool.now() });
  return {};
}

/** GetDevice. */
export async function getDevice(
  input: OperationInput<"GetDevice">,
  pool: PoolContext,
): Promise<{ Device: DeviceResponse }> {
  const { device } = await requireDevice(pool, input);
  return { Device: toDeviceResponse(device) };
}

/** ListDevices, in pages: the token is the last key of the page before. */
export async function listDevices(input: OperationInput<"ListDevices">, pool: PoolContext): Promise<object> {
  const { user } = await requireBearer(pool, input.AccessToken);
  const limit = input.Limit || PAGE_SIZE;
  const after = input.PaginationToken ?? "";
  const devices = await listPoolDevices(pool.db, { userId: user.id, after, limit: limit + 1 });
  const page = devices.slice(0, limit);
  const last = page.at(-1);
  return {
    Devices: page.map(toDeviceResponse),
    ...(devices.length > limit && last ? { PaginationToken: last.deviceKey } : {}),
  };
}

/** ForgetDevice: the sign-ins on that device end, save the one that asks. */
export async function forgetDevice(input: OperationInput<"ForgetDevice">, pool: PoolContext): Promise<null> {
  const { device, originJti } = await requireDevice(pool, input);
  await deletePoolDevice(pool.db, { deviceKey: device.deviceKey, originJti, now: pool.now() });
  clearLivenessCache();
  return null;
}
