import { CalendarX2, HeartHandshake, MapPinOff } from "lucide-react";
import { useProductName } from "../../api/queries/use-config.ts";
import { m } from "../../messages/messages.js";
import { LandingSection } from "./landing-section.tsx";

/** What the product can promise, and does. */
export function Promises() {
  const product = useProductName();
  const promises = [
    { Icon: CalendarX2, name: m.landing_promise_overlap(), text: m.landing_promise_overlap_text() },
    { Icon: MapPinOff, name: m.landing_promise_place(), text: m.landing_promise_place_text() },
    { Icon: HeartHandshake, name: m.landing_promise_days(), text: m.landing_promise_days_text({ product }) },
  ];
  return (
    <LandingSection id="promises" title={m.landing_promises_title()}>
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,13rem),1fr))] gap-x-10 gap-y-6">
        {promises.map(({ Icon, name, text }) => (
          <li key={name} className="grid content-start gap-2 border-t-2 border-ink pt-4">
            <Icon aria-hidden className="size-6" strokeWidth={1.75} />
            <h3 className="text-lg">{name}</h3>
            <p className="text-soft">{text}</p>
          </li>
        ))}
      </ul>
    </LandingSection>
  );
}
