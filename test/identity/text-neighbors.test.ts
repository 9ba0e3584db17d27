import { describe, expect, it } from "vitest";
import { ENDPOINT, newPhone, openPoolHarness, PASSWORD, type PoolHarness } from "./harness.ts";
import { noStore } from "../support/runtime/no-store.ts";
import { networkOf, siteOf } from "../../durable/texts/networks.ts";

const NEIGHBORS = 60;

/** Registers a new number from an address. @returns the type of the error, or `done` */
async function signUp(harness: PoolHarness, address: string): Promise<string> {
  const body = { ClientId: harness.clientId, Username: newPhone(), Password: PASSWORD };
  const response = await harness.call("SignUp", body, address);
  return response.status === 200 ? "done" : String(response.body["__type"]);
}

const ofOneSite = (index: number) => `2001:db8:7:${index.toString(16)}::1`;

describe("the networks of one /48", () => {
  it("get as many codes as two of them, and other sites theirs", async () => {
    const harness = await openPoolHarness();
    let sent = 0;
    for (let index = 0; index < NEIGHBORS; index += 1)
      if ((await signUp(harness, ofOneSite(index))) === "done") sent += 1;
    expect(sent).toBe(40);
    expect(await signUp(harness, "2001:db8:8::1")).toBe("done");
    expect(await signUp(harness, "192.0.2.1")).toBe("done");
  });

  it("are recognized in every way to write an address", () => {
    expect(
      ["2001:DB8:7:1::5", "2001:db8:0007::", "::1", "::ffff:192.0.2.7", "192.0.2.7"].map(siteOf),
    ).toEqual(["2001:db8:7::/48", "2001:db8:7::/48", "0:0:0::/48", null, null]);
    expect(networkOf("2001:db8::7:1")).toBe("2001:db8:0:0::/64");
  });
});

describe("the networks of one provider", () => {
  it("get half of what the deployment sends to new numbers", async () => {
    const harness = await openPoolHarness({ textLimits: { toNewNumbers: { perHour: 20, perDay: 100 } } });
    const admit = async (index: number, asn: number) => {
      const to = newPhone();
      const address = `2001:db8:${index.toString(16)}::1`;
      const request = { to, isProved: false, account: to, address, asn, isDecoy: false };
      return (await harness.door.admitCode(request, noStore(harness.db))).kind;
    };
    const answers = [];
    for (let index = 0; index < 15; index += 1) answers.push(await admit(index, 64_500));
    expect(answers.filter((kind) => kind === "admitted")).toHaveLength(10);
    expect(await admit(99, 64_501)).toBe("admitted");
  });
});

describe("a ceiling that is reached", () => {
  it("asks for the challenge before it refuses, and has another for callers who pass it", async () => {
    const asked: (string | null)[] = [];
    const isHuman = async (token: string | null) => {
      asked.push(token);
      return token === "solved";
    };
    const harness = await openPoolHarness({ textLimits: { toProvedNumbers: { perHour: 3, perDay: 10 } } });
    const phones: string[] = [];
    for (let index = 0; index < 7; index += 1) phones.push((await harness.register()).phone);
    const challenged = harness.createSiblingPool({ isHuman });
    const reset = async (phone: string | undefined, challenge?: string) => {
      const response = await challenged.handle(
        new Request(ENDPOINT, {
          method: "POST",
          headers: { "x-amz-target": "AWSCognitoIdentityProviderService.ForgotPassword" },
          body: JSON.stringify({
            ClientId: harness.clientId,
            Username: phone,
            ...(challenge === undefined ? {} : { ClientMetadata: { challenge } }),
          }),
        }),
      );
      const { __type = "done" } = JSON.parse(new TextDecoder().decode(await response.arrayBuffer()));
      return String(__type);
    };
    const [first, second, third, fourth, fifth, sixth, seventh] = phones;
    // Nobody is asked before.
    for (const phone of [first, second, third]) expect(await reset(phone)).toBe("done");
    expect(asked).toEqual([]);
    expect(await reset(fourth)).toBe("UserLambdaValidationException");
    expect(await reset(fourth, "forged")).toBe("UserLambdaValidationException");
    for (const phone of [fourth, fifth, sixth]) expect(await reset(phone, "solved")).toBe("done");
    expect(await reset(seventh, "solved")).toBe("CodeDeliveryFailureException");
  });

  it("refuses as before where there is no challenge", async () => {
    const harness = await openPoolHarness({ textLimits: { toNewNumbers: { perHour: 1, perDay: 1 } } });
    expect(await signUp(harness, "192.0.2.1")).toBe("done");
    expect(await signUp(harness, "192.0.2.2")).toBe("CodeDeliveryFailureException");
  });
});
