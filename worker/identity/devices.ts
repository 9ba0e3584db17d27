import {
  bindSessionToDevice,
  changePoolDevice,
  deletePoolDevice,
  findPoolDevice,
  listPoolDevices,
  type PoolDevice,
} from "../../db/queries/identity-devices.ts";
import { sealVerifier } from "./accounts.ts";
import { requireBearer, type Bearer } from "./bearer.ts";
import { fromBase64 } from "./bytes.ts";
import type { Pool } from "./context.ts";
import { faults } from "./faults.ts";
import { forgetLiveness } from "./liveness.ts";
import type { Input } from "./requests.ts";
import { makeReady, N, toInteger } from "./srp.ts";

const PAGE = 60;

/** A device as the protocol tells it; instants in seconds. */
type DeviceAnswer = {
  DeviceKey: string;
  DeviceAttributes: { Name: string; Value: string }[];
  DeviceCreateDate: number;
  DeviceLastModifiedDate: number;
  DeviceLastAuthenticatedDate: number;
};

function describeDevice(device: PoolDevice): DeviceAnswer {
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
  pool: Pool,
  { AccessToken, DeviceKey }: Input<"GetDevice">,
): Promise<Bearer & { device: PoolDevice }> {
  const bearer = await requireBearer(pool, AccessToken);
  const device = await findPoolDevice(pool.db, { userId: bearer.user.id, deviceKey: DeviceKey });
  if (!device) throw faults.unknownDevice();
  return { ...bearer, device };
}

/** ConfirmDevice: the device that was offered at the sign-in gets its verifier. From now on refreshes must name it. */
export async function confirmDevice(input: Input<"ConfirmDevice">, pool: Pool): Promise<object> {
  const { device, originJti } = await requireDevice(pool, input);
  if (pool.settings.devices === "off") throw faults.devicesOff();
  const salt = fromBase64(input.DeviceSecretVerifierConfig.Salt);
  const verifier = fromBase64(input.DeviceSecretVerifierConfig.PasswordVerifier);
  if (!salt || !verifier || toInteger(verifier) % N === 0n) {
    throw faults.invalidParameter("Invalid device secret verifier.");
  }
  const secrets = makeReady({ salt: toInteger(salt), verifier: toInteger(verifier) % N });
  const remembered = pool.settings.devices === "always";
  await changePoolDevice(pool.db, device.deviceKey, {
    password: await sealVerifier(pool, device.deviceKey, secrets),
    name: input.DeviceName ?? null,
    remembered,
    modifiedAt: pool.now(),
  });
  await bindSessionToDevice(pool.db, { originJti, deviceKey: device.deviceKey });
  return { UserConfirmationNecessary: !remembered };
}

/** UpdateDeviceStatus: whether the device stands for the second factor. */
export async function updateDeviceStatus(input: Input<"UpdateDeviceStatus">, pool: Pool): Promise<object> {
  const { device } = await requireDevice(pool, input);
  const remembered = input.DeviceRememberedStatus === "remembered";
  await changePoolDevice(pool.db, device.deviceKey, { remembered, modifiedAt: pool.now() });
  return {};
}

/** GetDevice. */
export async function getDevice(input: Input<"GetDevice">, pool: Pool): Promise<{ Device: DeviceAnswer }> {
  const { device } = await requireDevice(pool, input);
  return { Device: describeDevice(device) };
}

/** ListDevices, in pages: the token is the last key of the page before. */
export async function listDevices(input: Input<"ListDevices">, pool: Pool): Promise<object> {
  const { user } = await requireBearer(pool, input.AccessToken);
  const limit = input.Limit || PAGE;
  const after = input.PaginationToken ?? "";
  const devices = await listPoolDevices(pool.db, { userId: user.id, after, limit: limit + 1 });
  const page = devices.slice(0, limit);
  const last = page.at(-1);
  return {
    Devices: page.map(describeDevice),
    ...(devices.length > limit && last ? { PaginationToken: last.deviceKey } : {}),
  };
}

/** ForgetDevice: the sign-ins on that device end, save the one that asks. */
export async function forgetDevice(input: Input<"ForgetDevice">, pool: Pool): Promise<null> {
  const { device, originJti } = await requireDevice(pool, input);
  await deletePoolDevice(pool.db, { deviceKey: device.deviceKey, originJti, now: pool.now() });
  forgetLiveness();
  return null;
}
