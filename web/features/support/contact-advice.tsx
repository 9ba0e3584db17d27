import { m } from "../../messages/messages.js";

/** Advice on a message to support. */
export function ContactAdvice() {
  const advice = [m.contact_advice_what(), m.contact_advice_when(), m.contact_advice_never()];
  return (
    <section className="mt-5 grid gap-2 border-t border-line pt-5">
      <h2 className="text-lg">{m.contact_advice_title()}</h2>
      <ul className="grid max-w-prose list-disc gap-1 pl-5 text-soft">
        {advice.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}
