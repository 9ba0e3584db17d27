import { m } from "../../messages/messages.js";
import { LandingSection } from "./landing-section.tsx";

/** The modes, and what none of them does. */
export function Modes() {
  const modes = [
    { name: m.mode_lucrative(), text: m.mode_lucrative_text() },
    { name: m.mode_secure(), text: m.mode_secure_text() },
    { name: m.mode_masacre(), text: m.mode_masacre_text() },
  ];
  return (
    <LandingSection id="modes" title={m.landing_modes_title()} text={m.landing_modes_text()}>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,13rem),1fr))] gap-3">
        {modes.map(({ name, text }) => (
          <div key={name} className="card grid content-start gap-1 p-5">
            <dt className="font-display text-lg font-semibold">{name}</dt>
            <dd className="text-soft">{text}</dd>
          </div>
        ))}
      </dl>
    </LandingSection>
  );
}
