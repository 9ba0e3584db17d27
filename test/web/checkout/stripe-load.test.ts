import { afterEach, beforeEach, expect, it, vi } from "vitest";

const LIBRARY = "@stripe/stripe-js/pure";
const STRIPE = { elements: "its forms" };

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
});
afterEach(() => {
  vi.useRealTimers();
  vi.doUnmock(LIBRARY);
});

/** The page's loader, over a library that is there once it is let arrive. */
async function openLoader() {
  let arrive: () => void = () => undefined;
  const loadStripe = vi.fn(() => new Promise((resolve) => (arrive = () => resolve(STRIPE))));
  vi.doMock(LIBRARY, () => ({ loadStripe }));
  const { loadStripeOnce } = await import("../../../web/features/checkout/stripe.ts");
  return { loadStripe, load: () => loadStripeOnce("pk_test"), arrive: () => arrive() };
}

it("loads Stripe's library once for all who ask", async () => {
  const { load, loadStripe, arrive } = await openLoader();
  const both = [load(), load()];
  arrive();
  expect(await Promise.all([...both, load()])).toEqual([STRIPE, STRIPE, STRIPE]);
  expect(loadStripe.mock.calls).toEqual([["pk_test"]]);
  expect(vi.getTimerCount()).toBe(0);
});

it("fails where a network swallows the library, and tries again for who asks again", async () => {
  const { load, loadStripe, arrive } = await openLoader();
  const first = expect(load()).rejects.toThrow("is late");
  await vi.advanceTimersByTimeAsync(20_000);
  await first;
  const second = load();
  arrive();
  expect(await second).toBe(STRIPE);
  expect(loadStripe).toHaveBeenCalledTimes(2);
});
