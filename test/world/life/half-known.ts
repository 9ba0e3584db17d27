import type { Chance } from "../chance.ts";

/** Another value for a field, of which nobody can tell what it means; undefined for none at all. */
type Change = (value: unknown) => unknown;

const MISSING: Change = () => undefined;
const ALWAYS: readonly Change[] = [MISSING, () => null, () => ({ of: "tomorrow" })];
const OF_INSTANTS: readonly Change[] = [...ALWAYS, () => "soon", () => true];
const OF_WORDS: readonly Change[] = [...ALWAYS, () => "of_tomorrow"];
const OF_IDS: readonly Change[] = [...ALWAYS, () => ""];
const OF_PAY: readonly Change[] = [
  ...ALWAYS,
  () => "a lot",
  (pay) => ({ ...Object(pay), amount: undefined }),
  (pay) => ({ ...Object(pay), amount: "some" }),
  (pay) => ({ ...Object(pay), currency: 7 }),
];

/** The fields of a block, each with what may stand in its place. */
const BLOCK_CHANGES: Readonly<Record<string, readonly Change[]>> = {
  blockId: [...OF_IDS, (id) => `${String(id)}-${"x".repeat(80)}`],
  offerId: OF_IDS,
  warehouseId: OF_IDS,
  serviceType: OF_WORDS,
  startsAt: OF_INSTANTS,
  endsAt: OF_INSTANTS,
  pay: OF_PAY,
  status: OF_WORDS,
  acceptedAt: OF_INSTANTS,
};
/** How often a block of the driver's own is one that can't be read whole. */
const OWN_BLOCK_SHARE = 0.7;

/** The same answer with words in it that the contract does not know (yet), and with a block of which one field is another. */
export function halfKnown(body: unknown, { chance, met }: { chance: Chance; met: (what: string) => void }) {
  if (typeof body !== "object" || body === null) return body;
  if ("offers" in body && Array.isArray(body.offers)) {
    return { ...body, offers: [...body.offers, { offerId: "new_kind", serviceType: "pharmacy" }], page: 1 };
  }
  const oddBlock = (block: unknown): unknown => {
    const field = chance.pick(Object.keys(BLOCK_CHANGES));
    met(`own block with another ${field}`);
    return changed(block, field, chance.pick(BLOCK_CHANGES[field] ?? ALWAYS));
  };
  if ("blocks" in body && Array.isArray(body.blocks)) {
    const { blocks } = body;
    const odd = chance.is(OWN_BLOCK_SHARE) ? chance.between(0, blocks.length - 1) : -1;
    const listed = blocks.map((block: unknown, index) => (index === odd ? oddBlock(block) : block));
    return { ...body, blocks: [STRANGE_BLOCK, ...listed] };
  }
  const whole = { ...body, tips: [], note: { kind: "unknown" } };
  return "acceptedAt" in body && chance.is(OWN_BLOCK_SHARE) ? oddBlock(whole) : whole;
}

function changed(block: unknown, field: string, change: Change): unknown {
  const { [field]: value, ...rest }: Record<string, unknown> = { ...Object(block) };
  const next = change(value);
  return next === undefined ? rest : { ...rest, [field]: next };
}

const STRANGE_BLOCK = {
  blockId: "blk_strange",
  offerId: "off_strange",
  warehouseId: "w0",
  serviceType: "pharmacy",
  startsAt: "2020-01-01T08:00:00Z",
  endsAt: "2020-01-01T10:00:00Z",
  pay: { amount: 100, currency: "USD" },
  status: "on_break",
  acceptedAt: "2020-01-01T08:00:00Z",
};
