import { Link } from "@tanstack/react-router";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";

/** The road ends here. */
export function NotFound() {
  return (
    <main
      id="content"
      tabIndex={-1}
      className="mx-auto grid max-w-xl outline-none justify-items-center gap-3 px-4 py-16 text-center"
    >
      <svg viewBox="0 0 240 120" aria-hidden className="w-60 text-edge">
        <path d="M70 118 104 20M170 118 136 20" stroke="currentColor" strokeWidth="4" fill="none" />
        <path d="M120 112v-16m0-14V68m0-12V46" stroke="currentColor" strokeWidth="5" />
        <rect
          x="82"
          y="14"
          width="76"
          height="26"
          rx="5"
          fill="var(--signal)"
          stroke="var(--ink)"
          strokeWidth="3"
        />
        <path d="m92 39 12-24m8 24 12-24m8 24 12-24" stroke="oklch(0.22 0.01 250)" strokeWidth="5" />
      </svg>
      <h1 className="text-2xl">{m.not_found_title()}</h1>
      <p className="text-soft">{m.not_found_text()}</p>
      <Link to="/" className={buttonClass("primary", "mt-3")}>
        {m.not_found_button()}
      </Link>
    </main>
  );
}
