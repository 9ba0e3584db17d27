import { LANGUAGES } from "../../db/shapes/language.ts";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { FormError } from "../ui/notices.tsx";
import { Toaster } from "../ui/toaster.tsx";
import { meQuery } from "./calls/acts.ts";
import { CONSOLE_PATHS, pageAt, type ConsolePage } from "./console-page.ts";
import { CitiesScreen } from "./prices/cities-screen.tsx";
import { DriverScreen } from "./drivers/driver-screen.tsx";
import { DriversScreen } from "./drivers/drivers-screen.tsx";
import { FleetScreen } from "./fleet/fleet-screen.tsx";
import { LogScreen } from "./acts/log-screen.tsx";
import { MoneyScreen } from "./money/money-screen.tsx";
import { m } from "./messages/messages.js";
import { getLocale, setLocale } from "./messages/runtime.js";
import { consoleErrorMessage, OperatorContext } from "./calls/operator.ts";
import { useLightPaper } from "./plots/plot.tsx";
import { PricesScreen } from "./prices/prices-screen.tsx";
import { RafflesScreen } from "./raffles/raffles-screen.tsx";
import { RequestsScreen } from "./acts/requests-screen.tsx";
import { ScreenBoundary } from "./calls/load-states.tsx";
import { VoiceScreen } from "./voice/voice-screen.tsx";

/** The console: who is signed in, where one can go, and the screen at this address. */
export function ConsoleShell() {
  useLightPaper();
  const me = useQuery(meQuery);
  const page = pageAt(location);
  return (
    <div className="min-h-dvh bg-ground text-ink">
      <header className="edge-to-edge border-b border-line bg-raised">
        <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-6 gap-y-1 px-4 py-2 sm:px-6">
          <p className="font-display text-lg font-semibold">
            {me.data?.productName ?? ""} <span className="text-soft">{m.console()}</span>
          </p>
          <nav aria-label={m.nav()} className="-mx-3 flex flex-wrap gap-x-1">
            <NavLink href={CONSOLE_PATHS.fleet} isCurrent={page.screen === "fleet"}>
              {m.nav_fleet()}
            </NavLink>
            <NavLink
              href={CONSOLE_PATHS.drivers}
              isCurrent={page.screen === "drivers" || page.screen === "driver"}
            >
              {m.nav_drivers()}
            </NavLink>
            <NavLink href={CONSOLE_PATHS.money} isCurrent={page.screen === "money"}>
              {m.nav_money()}
            </NavLink>
            <NavLink href={CONSOLE_PATHS.prices} isCurrent={page.screen === "prices"}>
              {m.nav_prices()}
            </NavLink>
            <NavLink href={CONSOLE_PATHS.raffles} isCurrent={page.screen === "raffles"}>
              {m.nav_raffles()}
            </NavLink>
            <NavLink href={CONSOLE_PATHS.cities} isCurrent={page.screen === "cities"}>
              {m.nav_cities()}
            </NavLink>
            <NavLink href={CONSOLE_PATHS.voice} isCurrent={page.screen === "voice"}>
              {m.nav_voice()}
            </NavLink>
            <NavLink href={CONSOLE_PATHS.requests} isCurrent={page.screen === "requests"}>
              {m.nav_requests()}
            </NavLink>
            <NavLink href={CONSOLE_PATHS.log} isCurrent={page.screen === "log"}>
              {m.nav_log()}
            </NavLink>
          </nav>
          <div className="ml-auto flex flex-wrap items-center gap-x-4">
            {me.data && (
              <p className="text-sm break-all text-soft">
                {me.data.operator.name},{" "}
                {me.data.operator.role === "owner" ? m.role_owner() : m.role_support()}
              </p>
            )}
            <LanguageChoice />
          </div>
        </div>
      </header>
      <main className="mx-auto grid max-w-7xl gap-6 px-4 py-6 sm:px-6">
        {/* Without an answer ever, the screen itself says why. */}
        {me.data && me.error && <FormError title={consoleErrorMessage(me.error, null)} />}
        <ScreenBoundary>
          <CurrentScreen page={page} />
        </ScreenBoundary>
      </main>
      <Toaster />
    </div>
  );
}

function CurrentScreen({ page }: { page: ConsolePage }) {
  const me = useSuspenseQuery(meQuery).data;
  return (
    <OperatorContext value={me}>
      <ScreenBoundary>{screenOf(page)}</ScreenBoundary>
    </OperatorContext>
  );
}

function screenOf(page: ConsolePage): ReactNode {
  switch (page.screen) {
    case "fleet":
      return <FleetScreen list={page.list} span={page.span} />;
    case "drivers":
      return <DriversScreen initialQuery={page.query} />;
    case "driver":
      return <DriverScreen driverId={page.driverId} />;
    case "money":
      return <MoneyScreen initialSearch={page.search} />;
    case "prices":
      return <PricesScreen />;
    case "raffles":
      return <RafflesScreen />;
    case "cities":
      return <CitiesScreen />;
    case "voice":
      return <VoiceScreen />;
    case "requests":
      return <RequestsScreen />;
    case "log":
      return <LogScreen />;
    case "unknown":
      return <p>{m.not_found()}</p>;
  }
}

function NavLink({ href, isCurrent, children }: { href: string; isCurrent: boolean; children: ReactNode }) {
  return (
    <a
      href={href}
      aria-current={isCurrent ? "page" : undefined}
      className="grid min-h-11 place-items-center rounded-field px-3 font-semibold text-soft hover:bg-sunken lg:px-2 lg:text-sm aria-[current]:text-ink aria-[current]:underline aria-[current]:decoration-2 aria-[current]:underline-offset-4"
    >
      {children}
    </a>
  );
}

function LanguageChoice() {
  const current = getLocale();
  return (
    <fieldset aria-label={m.language()} className="flex">
      {LANGUAGES.map((locale) => (
        <button
          key={locale}
          type="button"
          lang={locale}
          aria-pressed={locale === current}
          onClick={() => void setLocale(locale)}
          className="grid min-h-11 min-w-11 place-items-center text-sm font-semibold text-soft aria-pressed:text-ink aria-pressed:underline aria-pressed:decoration-2 aria-pressed:underline-offset-4"
        >
          {locale.toUpperCase()}
        </button>
      ))}
    </fieldset>
  );
}
