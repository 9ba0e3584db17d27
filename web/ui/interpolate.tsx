import { Fragment, type ReactNode } from "react";

/**
 * A sentence with something other than text in it. Its slots were filled with their own names in braces:
 * `weave(m.sentence({ link: "{link}" }), { link: <a … /> })`.
 */
export function interpolate(sentence: string, slots: Readonly<Record<string, ReactNode>>): ReactNode {
  return sentence
    .split(/(\{\w+\})/)
    .map((part, index) => <Fragment key={index}>{slots[part.slice(1, -1)] ?? part}</Fragment>);
}
