import * as z from "zod/mini";

type Shape = z.core.$ZodType;

/** A value that was read, and the paths of what a later release (or a fault) put there and we read as `other` or left out. */
export type Tolerated<Value> = { value: Value; unread: readonly string[] };

/** Stands for a value whose word we don't know: what contains it decides what becomes of it. */
const UNKNOWN = Symbol("unknown");

const substitutes = new WeakMap<Shape, string>();

/** Marks an enum whose unknown words read as one of its own. One with the word `other` needs no mark. */
export function readsAs<Words extends z.core.$ZodEnum>(words: Words, word: z.core.output<Words>): Words {
  substitutes.set(words, String(word));
  return words;
}

/**
 * Parses what another release wrote or sent. Its shape is the one that we write, and here it reads more: an unknown word
 * is `other` in an enum or a union that has an `other`; without one, the nullable, optional or list item around it is left
 * out. Malformed list items are left out, and unknown fields ignored. Requests are not read with this, but refused.
 * @throws {z.core.$ZodError} if what is needed is missing or malformed
 */
export function parseTolerantly<Of extends Shape>(shape: Of, value: unknown): Tolerated<z.output<Of>> {
  const known = z.safeParse(shape, value);
  if (known.success) return { value: known.data, unread: [] };
  const reader = new Reader();
  const adapted = reader.read(shape, value, []);
  return { value: z.parse(shape, adapted === UNKNOWN ? value : adapted), unread: reader.unread };
}

/** `parseTolerantly` without the paths. */
export function readShape<Of extends Shape>(shape: Of, value: unknown): z.output<Of> {
  return parseTolerantly(shape, value).value;
}

/** Whether a value is a case of a union that only another release knows. */
export function isUnknownCase(union: z.core.$ZodDiscriminatedUnion, value: unknown): boolean {
  const { discriminator } = union._zod.def;
  const tag = isRecord(value) ? value[discriminator] : undefined;
  return typeof tag === "string" && union._zod.propValues[discriminator]?.has(tag) === false;
}

type Path = readonly (string | number)[];

class Reader {
  readonly unread: string[] = [];

  /** The value as the shape can parse it, or `UNKNOWN`. Malformed values are returned unchanged. */
  read(shape: Shape, value: unknown, path: Path): unknown {
    const { def } = (shape as z.core.$ZodTypes)._zod;
    switch (def.type) {
      case "enum":
        return this.#readWord(shape, Object.values(def.entries), value, path);
      case "object":
        return isRecord(value) ? this.#readFields(def, value, path) : value;
      case "array":
        return Array.isArray(value) ? this.#readItems(def.element, value, path) : value;
      case "tuple":
        return Array.isArray(value)
          ? allKnown(value.map((item, index) => this.#readAt(def.items[index], item, [...path, index])))
          : value;
      case "record":
        return isRecord(value) ? this.#readEntries(def, value, path) : value;
      case "union":
        return "discriminator" in def
          ? this.#readCase(def as z.core.$ZodDiscriminatedUnionDef, value, path)
          : this.#readOption(def.options, value, path);
      case "nullable":
        return value === null ? null : this.#readOr(null, def.innerType, value, path);
      case "optional":
      case "default":
        return value === undefined ? undefined : this.#readOr(undefined, def.innerType, value, path);
      case "readonly":
        return this.read(def.innerType, value, path);
      default:
        return value;
    }
  }

  #readAt(shape: Shape | undefined, value: unknown, path: Path): unknown {
    return shape ? this.read(shape, value, path) : value;
  }

  #readWord(shape: Shape, words: readonly unknown[], value: unknown, path: Path): unknown {
    if (typeof value !== "string" || words.includes(value)) return value;
    this.#note(path);
    return substitutes.get(shape) ?? (words.includes("other") ? "other" : UNKNOWN);
  }

  #readFields(def: z.core.$ZodObjectDef, value: Record<string, unknown>, path: Path): unknown {
    const fields = Object.entries(def.shape).flatMap(([name, field]): [string, unknown][] =>
      name in value ? [[name, this.read(field, value[name], [...path, name])]] : [],
    );
    if (fields.some(([, field]) => field === UNKNOWN)) return UNKNOWN;
    const isStrict = def.catchall?._zod.def.type === "never";
    return isStrict ? Object.fromEntries(fields) : { ...value, ...Object.fromEntries(fields) };
  }

  #readItems(item: Shape, values: readonly unknown[], path: Path): unknown[] {
    return values.flatMap((value, index) => {
      const read = this.read(item, value, [...path, index]);
      if (read !== UNKNOWN && z.safeParse(item, read).success) return [read];
      this.#note([...path, index]);
      return [];
    });
  }

  #readEntries(def: z.core.$ZodRecordDef, value: Record<string, unknown>, path: Path): unknown {
    const entries = Object.entries(value).flatMap(([key, entry]): [string, unknown][] => {
      const read = this.read(def.valueType, entry, [...path, key]);
      if (z.safeParse(def.keyType, key).success && read !== UNKNOWN) return [[key, read]];
      this.#note([...path, key]);
      return [];
    });
    return Object.fromEntries(entries);
  }

  /** A known case that is malformed, too, is read as `other` where there is one. */
  #readCase(def: z.core.$ZodDiscriminatedUnionDef, value: unknown, path: Path): unknown {
    const { discriminator } = def;
    const tag = isRecord(value) ? value[discriminator] : undefined;
    const caseOf = (word: unknown) =>
      def.options.find((option) =>
        option._zod.propValues?.[discriminator]?.has(word as z.core.util.Primitive),
      );
    const known = caseOf(tag);
    const read = known ? this.read(known, value, path) : UNKNOWN;
    const other = caseOf("other");
    if (!other) return known || typeof tag === "string" ? read : value;
    if (known && read !== UNKNOWN && z.safeParse(known, read).success) return read;
    this.#note(path);
    return this.read(other, { ...(isRecord(value) ? value : {}), [discriminator]: "other" }, path);
  }

  /** The first option that can read it. */
  #readOption(options: readonly Shape[], value: unknown, path: Path): unknown {
    for (const option of options) {
      const attempt = new Reader();
      const read = attempt.read(option, value, path);
      if (read === UNKNOWN || !z.safeParse(option, read).success) continue;
      this.unread.push(...attempt.unread);
      return read;
    }
    return value;
  }

  #readOr<Absent>(absent: Absent, shape: Shape, value: unknown, path: Path): unknown {
    const read = this.read(shape, value, path);
    return read === UNKNOWN ? absent : read;
  }

  #note(path: Path): void {
    this.unread.push(path.join("."));
  }
}

function allKnown(values: readonly unknown[]): unknown {
  return values.includes(UNKNOWN) ? UNKNOWN : values;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
