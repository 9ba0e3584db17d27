import { expect, it } from "vitest";
import { findViolations } from "../support/accessibility.ts";
import { looksOfRun } from "./looks.ts";
import { openStories } from "./story.ts";

const LOOKS = [
  {
    locale: "en-US",
    title: "Check everything",
    good: "Your account is linked.",
    ended: "Not linked yet. Without it we can't capture blocks.",
    again: "Check again",
    link: "Link your account",
    offline: "You're offline. We can only check this device right now.",
  },
  {
    locale: "es-MX",
    title: "Revisar todo",
    good: "Tu cuenta está vinculada.",
    ended: "Aún no está vinculada. Sin eso no podemos capturar bloques.",
    again: "Revisar de nuevo",
    link: "Vincular tu cuenta",
    offline: "No tienes conexión. Por ahora solo podemos revisar este dispositivo.",
  },
  {
    locale: "pt-BR",
    title: "Conferir tudo",
    good: "Sua conta está vinculada.",
    ended: "Ainda não está vinculada. Sem isso, não capturamos blocos.",
    again: "Conferir de novo",
    link: "Vincular sua conta",
    offline: "Você está sem conexão. Agora só dá para conferir este aparelho.",
  },
] as const;

const tell = openStories();

it.each(looksOfRun(LOOKS))(
  "everything is checked at a tap, and what is wrong has the tap that mends it, in $locale",
  ({ locale, title, good, ended, again, link, offline }) =>
    tell({ path: "/flex/profile", locale }, async ({ actor, page, context }) => {
      await page.locator('a[href="/flex/checks"]').click();
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      const list = page.getByTestId("checks");
      await list.getByText(good).waitFor();
      expect(await findViolations(page)).toEqual([]);

      await context.setOffline(true);
      await page.getByText(offline).waitFor();
      await context.setOffline(false);
      await page.getByText(offline).waitFor({ state: "detached" });

      expect((await actor.client.call("DELETE", "/flex/v1/setup")).ok).toBe(true);
      await page.getByRole("button", { name: again }).click();
      await list.getByText(ended).waitFor();
      expect(await findViolations(page)).toEqual([]);
      await list.getByRole("link", { name: link }).click();
      await page.waitForURL(/\/flex\/login$/);
    }),
);
