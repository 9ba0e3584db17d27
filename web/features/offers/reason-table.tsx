import type { Reason } from "../../../db/shapes/verdict.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { toReasonRow, type OfferPlace } from "./reason-messages.ts";

/** Every reason with the rule and the offer's value. The first one decided. */
export function ReasonTable({
  reasons,
  place,
  now,
}: {
  reasons: readonly Reason[];
  place: OfferPlace;
  now: EpochMs;
}) {
  return (
    <section>
      <h3 className="mb-2 text-lg">{m.offer_why()}</h3>
      <ul className="grid gap-2">
        {reasons.map((reason) => {
          const { title, rule, offer } = toReasonRow(reason, place, now);
          return (
            <li key={reason.code} className="rounded-field border border-line p-3">
              <p className="font-semibold">{title}</p>
              <dl className="mt-2 grid grid-cols-2 gap-3">
                <Figure name={m.offer_your_rule()} figure={rule} />
                <Figure name={m.offer_this()} figure={offer} strong />
              </dl>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Figure({ name, figure, strong = false }: { name: string; figure: string; strong?: boolean }) {
  return (
    <div className={strong ? "border-l-2 border-bad pl-3" : "border-l-2 border-line pl-3"}>
      <dt className="text-sm text-soft">{name}</dt>
      <dd className="figures font-semibold">{figure}</dd>
    </div>
  );
}
