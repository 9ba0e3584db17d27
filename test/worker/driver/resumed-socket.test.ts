import { evictDurableObject } from "cloudflare:test";
import { beforeAll, expect, it } from "vitest";
import { LIVE_PROTOCOL } from "../../../db/shapes/work/live.ts";
import { DriverClient } from "../../support/driver-client.ts";
import { counted, seen } from "../counted-trips.ts";
import { signInMember, signUpMember, type Member } from "../embedded-pool.ts";
import { driverObject, resetPlatform } from "../harness.ts";

beforeAll(() => resetPlatform());

const CALLS = ["POST /flex/v1/live/ticket", "GET /flex/v1/live"];

/** Opens a dashboard's socket. @returns the trips to the database that each of its calls waited for */
async function openSocket(client: DriverClient): Promise<number[]> {
  for (const call of CALLS) seen.delete(call);
  const { ticket } = await client.ticket();
  const response = await counted.fetch(`${counted.origin}/flex/v1/live`, {
    headers: { upgrade: "websocket", "sec-websocket-protocol": `${LIVE_PROTOCOL}, ticket.${ticket}` },
  });
  expect(response.status).toBe(101);
  response.webSocket?.accept();
  response.webSocket?.close();
  return CALLS.map((call) => seen.get(call)?.trips ?? -1);
}

const objectOf = (member: Member) => driverObject({ ...member, token: "", email: "", warehouseIds: [] });

it("asks the database for a session once, however often its dashboard loses the socket, until sessions end", async () => {
  const member = await signUpMember();
  const { phoneNumber } = member;
  expect((await member.client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber })).status).toBe(200);
  const { idToken: token } = await signInMember(phoneNumber);
  const client = new DriverClient({ ...counted, token });
  const first = await openSocket(client);
  const resumed = [await openSocket(client), await openSocket(client)];
  // A deployment takes the object's memory.
  await evictDurableObject(objectOf(member));
  resumed.push(await openSocket(client));
  expect({ first, resumed }).toEqual({
    first: [1, 1],
    resumed: [
      [0, 0],
      [0, 0],
      [0, 0],
    ],
  });
  await objectOf(member).keepSessions([]);
  expect(await openSocket(client)).toEqual([1, 1]);
});
