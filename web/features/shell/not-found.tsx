import { Link } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { sessionStore } from "../../api/session/session.ts";
// Message keys with dots can't be reached as properties of `m`.
import {
  m,
  "error.not_found.title" as notFoundTitle,
  "error.not_found.buttonText" as notFoundButton,
} from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { Logo } from "../../ui/logo.tsx";
import { DriverFrame } from "./driver-frame.tsx";
import { useProductName } from "../../api/queries/use-config.ts";

/** For an unknown path. A signed-in driver keeps the frame with the tabs around it. */
export function NotFound() {
  const isSignedIn = Boolean(useSelector(sessionStore));
  if (isSignedIn) {
    return (
      <DriverFrame>
        <div className={CLASS}>
          <NotFoundContent />
        </div>
      </DriverFrame>
    );
  }
  return (
    <main id="content" tabIndex={-1} className={CLASS}>
      <NotFoundContent />
    </main>
  );
}

const CLASS =
  "mx-auto grid max-w-xl grid-cols-1 justify-items-center gap-3 px-4 py-12 text-center outline-none";

function NotFoundContent() {
  const product = useProductName();
  return (
    <>
      <Logo name={product} />
      <svg viewBox="0 0 240 128" aria-hidden className="mt-4 w-72 max-w-full text-edge">
        <path d="M62 126 98 40M178 126 142 40" stroke="currentColor" strokeWidth="4" fill="none" />
        <path d="M120 122v-14m0-12V84m0-10V64" stroke="currentColor" strokeWidth="5" />
        <rect
          x="68"
          y="4"
          width="104"
          height="44"
          rx="8"
          fill="var(--raised)"
          stroke="var(--ink)"
          strokeWidth="3"
        />
        <text
          x="120"
          y="37"
          textAnchor="middle"
          fill="var(--ink)"
          className="font-display text-[32px] font-bold"
        >
          404
        </text>
      </svg>
      <h1 className="text-2xl">{notFoundTitle()}</h1>
      <p className="text-balance text-soft">{m.not_found_text()}</p>
      <Link to="/" className={buttonClass("primary", "mt-3")}>
        {notFoundButton()}
      </Link>
    </>
  );
}
