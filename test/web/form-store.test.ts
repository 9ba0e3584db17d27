import { expect, it } from "vitest";
import { createFormStore } from "../../web/features/account/form-store.ts";

const settled = () => new Promise<void>((resolve) => queueMicrotask(resolve));

it("keeps what was typed while the form is drawn anew, and forgets it once the form is left", async () => {
  const typed = createFormStore({ password: "", accepted: false });
  const letGo = typed.retain();
  typed.update({ password: "Jornada-1-test" });
  letGo();
  const leave = typed.retain();
  await settled();
  expect(typed.store.get()).toEqual({ password: "Jornada-1-test", accepted: false });
  leave();
  await settled();
  expect(typed.store.get()).toEqual({ password: "", accepted: false });
});
