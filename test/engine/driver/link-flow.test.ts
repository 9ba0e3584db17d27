import { expect, it } from "vitest";
import { LinkFlow } from "../../../durable/driver/services/link-flow.ts";

it("asks the driver to approve a device with the product's own name", async () => {
  const asked: unknown[] = [];
  const createSession = async (input: { device: unknown }) => {
    asked.push(input.device);
    return { kind: "invalid_credentials" };
  };
  const flow = new LinkFlow({
    deps: { platform: { createSession }, config: { productName: "Turno" } },
    machine: { owner: { driverId: "ana" } },
    account: { requestWithoutToken: (call: () => Promise<unknown>) => call() },
    loop: { noteRefusal: () => {} },
    objectName: "enam:ana",
  } as unknown as ConstructorParameters<typeof LinkFlow>[0]);
  expect(await flow.login({ email: "ana@example.com", password: "secret" })).toMatchObject({ ok: false });
  // The id stays, so that linking again replaces the device.
  expect(asked).toEqual([{ id: "jornada-ana", name: "Turno" }]);
});
