import { expect, it } from "vitest";
import { createTyped } from "../../web/features/account/typed.ts";

const settled = () => new Promise<void>((resolve) => queueMicrotask(resolve));

it("keeps what was typed while the form is drawn anew, and forgets it once the form is left", async () => {
  const typed = createTyped({ password: "", accepted: false });
  const letGo = typed.hold();
  typed.type({ password: "Jornada-1-test" });
  letGo();
  const leave = typed.hold();
  await settled();
  expect(typed.store.get()).toEqual({ password: "Jornada-1-test", accepted: false });
  leave();
  await settled();
  expect(typed.store.get()).toEqual({ password: "", accepted: false });
});
