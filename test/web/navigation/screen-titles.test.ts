import { expect, it } from "vitest";
import { createMemoryHistory } from "@tanstack/react-router";
import { QueryClient } from "@tanstack/react-query";
import { createPageRouter } from "../../../web/page/router.ts";
import { breadcrumbOf, isKnownPath, pageTitle } from "../../../web/features/navigation/screen-titles.ts";

it.each([
  ["/", "For delivery drivers: your filters, your blocks · Jornada", null],
  ["/terms", "Terms of service · Jornada", null],
  ["/register", "Create your account · Jornada", null],
  ["/login", "Sign in · Jornada", null],
  ["/forgot-password", "Set a new password · Jornada", null],
  ["/undo", "Undo an account change · Jornada", null],
  ["/q", "Take or pass · Jornada", null],
  ["/renewal", "Renewal · Jornada", null],
  ["/receipts", "Your receipts · Jornada", null],
  ["/faqs", "FAQs · Jornada", null],
  ["/health", "Platform status · Jornada", null],
  ["/contact", "Contact us · Jornada", null],
  ["/arrived", "I've arrived · Jornada", null],
  ["/raffle/december", "Raffle · Jornada", null],
  ["/flex", "Home · Jornada", null],
  ["/flex/login", "Link your account · Jornada", null],
  ["/flex/otp", "Link your account · Jornada", null],
  ["/flex/confirmation", "Link your account · Jornada", null],
  ["/flex/dashboard", "Home · Jornada", null],
  ["/flex/blocks", "My blocks · Jornada", "My blocks"],
  ["/flex/blocks/", "My blocks · Jornada", "My blocks"],
  ["/flex/filters", "Filters · Jornada", "Filters"],
  ["/flex/hours", "Best hours · Jornada", "Best hours"],
  ["/flex/payments", "My payments · Jornada", "My payments"],
  ["/flex/receipts/6f0c6f6e", "Receipt · Jornada", null],
  ["/flex/week", "Weekly summary · Jornada", "Weekly summary"],
  ["/flex/checks", "Check everything · Jornada", "Check everything"],
  ["/flex/profile", "My profile · Jornada", "My profile"],
  ["/flex/rewards", "Rewards · Jornada", "Rewards"],
  ["/flex/invitations", "Invitations · Jornada", "Invitations"],
  ["/demo/store", "Demo · Jornada", null],
  ["/flex/nowhere", "Page not found · Jornada", null],
])("calls %s by its name", (pathname, title, breadcrumb) => {
  expect({ title: pageTitle(pathname, "Jornada"), breadcrumb: breadcrumbOf(pathname) }).toEqual({
    title,
    breadcrumb,
  });
});

it("knows every screen that has a route", () => {
  const { routesByPath } = createPageRouter(new QueryClient(), createMemoryHistory());
  const unknown = Object.keys(routesByPath).filter((path) => !isKnownPath(path));
  expect(unknown).toEqual([]);
});
