import { beforeAll, expect, it } from "vitest";
import { resetPlatform } from "../harness.ts";
import { createPayer, createPreparedPayment, fetchPaidEvent, payIntent } from "../payments-harness.ts";

beforeAll(() => resetPlatform());

it.each([
  ["en", "Jornada, 7 days"],
  ["es", "Jornada, 7 días"],
  ["pt", "Jornada, 7 dias"],
] as const)("describes a payment to Stripe in the driver's language: %s", async (language, description) => {
  const driver = await createPayer();
  await driver.client.patchUser({ language, updateLanguage: true });
  const { intentId } = await createPreparedPayment(driver, { plan: "7days" });
  await payIntent(intentId);
  const { body } = await fetchPaidEvent(intentId);
  expect(JSON.parse(body)).toMatchObject({ data: { object: { description } } });
});
